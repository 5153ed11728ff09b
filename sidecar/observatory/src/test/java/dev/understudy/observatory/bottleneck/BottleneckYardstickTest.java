package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.TierOverflow;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is found in a simulation, against the bounds of the product. More runs by hand:
 * {@code -Dunderstudy.bottleneck.runs=100}.
 */
final class BottleneckYardstickTest {
    private static final int RUNS = Integer.getInteger("understudy.bottleneck.runs", 3);
    private static final int SECONDS = 600;
    private static final int STALLS = 20;

    @Test
    void stalls_areFoundInTheRightTierWithTheRightResource() throws TierOverflow {
        StallYardstick all = new StallYardstick();
        for (int seed = 1; seed <= RUNS; seed++) {
            StallSimulation run = new StallSimulation(seed, SECONDS, STALLS);
            all.add(run, BottleneckSearch.in(run.tiers, run.samples, BottleneckRules.standard()));
        }
        System.out.println(RUNS + " runs of 10 simulated minutes: " + all);
        assertThat(all.share(all.found)).as("found").isGreaterThanOrEqualTo(0.95);
        assertThat(all.share(all.rightTier)).as("right tier").isGreaterThanOrEqualTo(0.95);
        assertThat(all.share(all.rightResource)).as("right resource").isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void loadWithoutStalls_raisesHardlyAnAlarm() throws TierOverflow {
        StallYardstick all = new StallYardstick();
        int named = 0;
        for (int seed = 1001; seed <= 1000 + RUNS; seed++) {
            StallSimulation run = new StallSimulation(seed, SECONDS, 0);
            BottleneckReport report = BottleneckSearch.in(run.tiers, run.samples, BottleneckRules.standard());
            all.add(run, report);
            named += (int) report.bottlenecks().stream()
                    .filter(alarm -> alarm.isExplained(report.rules().level()))
                    .count();
        }
        System.out.println(RUNS + " runs of 10 simulated minutes without stalls: " + all.falseAlarms
                + " false alarms, of which " + named + " name a resource");
        assertThat(all.falseAlarms).as("false alarms").isLessThanOrEqualTo(RUNS);
    }

    @Test
    void stallWhoseResourceNobodySampled_isExplainedByNone() throws TierOverflow {
        int explained = 0;
        int found = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            StallSimulation run = new StallSimulation(seed, SECONDS, STALLS);
            run.samples.removeIf(series -> !series.source().equals("other"));
            BottleneckReport report = BottleneckSearch.in(run.tiers, run.samples, BottleneckRules.standard());
            found += report.bottlenecks().size();
            explained += (int) report.bottlenecks().stream()
                    .filter(bottleneck -> bottleneck.isExplained(report.rules().level()))
                    .count();
        }
        System.out.println(RUNS + " runs without the resources that caused it: " + explained + " of " + found
                + " bottlenecks name one");
        assertThat(explained).as("named though innocent").isLessThanOrEqualTo(Math.max(4, found / 10));
    }
}
