package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.observatory.event.TierOverflow;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is found in a simulation, against the bounds of the product. More runs by hand:
 * {@code -Dunderstudy.bottleneck.runs=100}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES) // a hundred runs by hand
final class BottleneckYardstickTest {
    private static final int RUNS = Integer.getInteger("understudy.bottleneck.runs", 2);
    private static final int SECONDS = 600;
    private static final int STALLS = 20;

    @Test
    void stalls_areFoundInTheRightTierWithTheRightResourceOrNone() throws TierOverflow {
        StallYardstick all = new StallYardstick();
        int unsampled = 0;
        int named = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            StallSimulation run = new StallSimulation(seed, SECONDS, STALLS);
            all.add(run, BottleneckSearch.in(run.tiers, run.samples, BottleneckRules.standard()));
            run.samples.removeIf(series -> !series.source().equals("other"));
            BottleneckReport report = BottleneckSearch.in(run.tiers, run.samples, BottleneckRules.standard());
            unsampled += report.bottlenecks().size();
            named += explained(report);
        }
        System.out.println(RUNS + " runs of 10 simulated minutes: " + all + "; without samples of the causes " + named
                + " of " + unsampled + " bottlenecks name a resource");
        assertThat(all.share(all.found)).as("found").isGreaterThanOrEqualTo(0.95);
        assertThat(all.share(all.rightTier)).as("right tier").isGreaterThanOrEqualTo(0.95);
        assertThat(all.share(all.rightResource)).as("right resource").isGreaterThanOrEqualTo(0.9);
        assertThat(named).as("named though innocent").isLessThanOrEqualTo(Math.max(4, unsampled / 10));
    }

    private static int explained(BottleneckReport report) {
        return (int) report.bottlenecks().stream()
                .filter(bottleneck -> bottleneck.isExplained(report.rules().level()))
                .count();
    }

    @Test
    void loadWithoutStalls_raisesHardlyAnAlarm() throws TierOverflow {
        StallYardstick all = new StallYardstick();
        int named = 0;
        for (int seed = 1001; seed <= 1000 + RUNS; seed++) {
            StallSimulation run = new StallSimulation(seed, SECONDS, 0);
            BottleneckReport report = BottleneckSearch.in(run.tiers, run.samples, BottleneckRules.standard());
            all.add(run, report);
            named += explained(report);
        }
        System.out.println(RUNS + " runs of 10 simulated minutes without stalls: " + all.falseAlarms
                + " false alarms, of which " + named + " name a resource");
        assertThat(all.falseAlarms).as("false alarms").isLessThanOrEqualTo(RUNS);
    }

    /** As many exchanges by hand: {@code -Dunderstudy.bottleneck.exchanges=10000000}. */
    @Test
    void manyExchanges_areSearched() throws TierOverflow {
        int each = Integer.getInteger("understudy.bottleneck.exchanges", 400_000) / 2;
        SplittableRandom random = new SplittableRandom(1);
        ExchangeColumns web = new ExchangeColumns("web");
        ExchangeColumns db = new ExchangeColumns("db");
        double at = StallSimulation.epochMicros();
        long stalledUntil = 0;
        for (int i = 0; i < each; i++) {
            at -= Math.log(1 - random.nextDouble()) * 500;
            long start = (long) at;
            stalledUntil = i % 200_000 == 100_000 ? start + 200_000 : stalledUntil;
            long end = Math.max(start + 300, stalledUntil) - (long) (Math.log(1 - random.nextDouble()) * 1_500);
            db.add("SELECT " + i % 7, start + 300, end, true);
            web.add("GET /" + i % 20, start, end + 300, true);
        }
        long began = System.nanoTime();
        BottleneckReport report = BottleneckSearch.in(List.of(web, db), List.of(), BottleneckRules.standard());
        System.out.println(2 * each + " exchanges were searched in " + (System.nanoTime() - began) / 1_000_000 + " ms");
        assertThat(report.bottlenecks())
                .hasSize(Math.min(50, each / 200_000))
                .allMatch(found -> found.origin().equals("db"));
    }
}
