package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.observatory.event.TierOverflow;
import dev.understudy.observatory.sample.SampleSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class BottleneckSearchTest {
    private static final BottleneckRules RULES = BottleneckRules.standard();

    private static ExchangeColumns tier(String name) {
        return new ExchangeColumns(name);
    }

    @Test
    void noExchange_isRefused() {
        assertThatThrownBy(() -> BottleneckSearch.in(List.of(tier("web")), List.of(), RULES))
                .hasMessageContaining("no exchange");
    }

    @Test
    void oneExchange_isNoBottleneck() throws TierOverflow {
        ExchangeColumns web = tier("web");
        web.add("GET /", 5, 5, true);

        BottleneckReport report = BottleneckSearch.in(List.of(web, tier("db")), List.of(), RULES);
        assertThat(report.bottlenecks()).isEmpty();
        assertThat(report.windows()).hasSize(2);
    }

    @Test
    void equalStamps_areNoBottleneck() throws TierOverflow {
        ExchangeColumns web = tier("web");
        for (int i = 0; i < 1_000; i++) {
            web.add("GET /", 1_000_000, 1_000_000, true);
        }
        SampleSeries constant = new SampleSeries("host", "x", new long[] {0, 900_000, 2_000_000}, new double[3]);
        assertThat(BottleneckSearch.in(List.of(web), List.of(constant), RULES).bottlenecks())
                .isEmpty();
    }

    @Test
    void aBurstOfQuickRequests_isNoBottleneck() throws TierOverflow {
        Random random = new Random(9);
        ExchangeColumns web = tier("web");
        for (long at = 0; at < 30_000_000; at += 1 + random.nextInt(at / 100_000 == 150 ? 200 : 4_000)) {
            web.add("GET /", at, at + 3_000 + random.nextInt(4_000), true);
        }
        BottleneckReport report = BottleneckSearch.in(List.of(web), List.of(), RULES);
        assertThat(report.peaks()).isEqualTo(1);
        assertThat(report.bottlenecks()).isEmpty();
    }

    @Test
    void aYearBetweenTwoExchanges_isRefusedWithTheWayOut() throws TierOverflow {
        ExchangeColumns web = tier("web");
        web.add("GET /", 0, 10, true);
        web.add("GET /", 365L * 86_400 * 1_000_000, 365L * 86_400 * 1_000_000 + 10, true);

        assertThatThrownBy(() -> BottleneckSearch.in(List.of(web), List.of(), RULES))
                .hasMessageContaining("windows")
                .hasMessageContaining("shorter time");
    }

    @Test
    void medians_areOfAllExchangesOfTheRoute() throws TierOverflow {
        ExchangeColumns web = tier("web");
        for (int i = 0; i < 100; i++) {
            web.add("GET /a", i, i + (i < 40 ? 900_000 : 1_000 + i), true);
            web.add(i < 10 ? "GET /rare" : "GET /b", i, i + 7, true);
        }
        int[] medians = SlowExchanges.medians(web, 20);
        assertThat(medians[web.routes().indexOf("GET /a")]).isEqualTo(1_090);
        assertThat(medians[web.routes().indexOf("GET /b")]).isEqualTo(7);
        assertThat(medians[web.routes().indexOf("GET /rare")]).isEqualTo(-1);
    }

    @Test
    void samplesThatStepBackwards_areReadAllTheSame() throws TierOverflow {
        Random random = new Random(4);
        ExchangeColumns web = tier("web");
        for (int i = 0; i < 20_000; i++) {
            long at = i * 2_000L;
            boolean stalled = at > 20_000_000 && at < 20_400_000;
            web.add("GET /", at, stalled ? 20_400_000 + random.nextInt(2_000) : at + 1_500, true);
        }
        long[] micros = new long[800];
        double[] values = new double[800];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = (i < 200 ? i : i - 3) * 50_000L;
            values[i] = micros[i] > 20_000_000 && micros[i] <= 20_450_000 ? 1 : 0.2 * random.nextDouble();
        }
        BottleneckReport report =
                BottleneckSearch.in(List.of(web), List.of(new SampleSeries("host", "disk", micros, values)), RULES);

        assertThat(report.bottlenecks()).hasSize(1);
        assertThat(report.bottlenecks().get(0).isExplained(0.05)).isTrue();
    }

    @Test
    void aShortRun_isCalledTooShortForManyResources() throws TierOverflow {
        ExchangeColumns web = tier("web");
        for (int i = 0; i < 2_000; i++) {
            long at = i * 2_000L;
            web.add("GET /", at, at > 2_000_000 && at < 2_300_000 ? 2_300_000 : at + 1_500, true);
        }
        Random random = new Random(3);
        List<SampleSeries> many = new ArrayList<>();
        for (int series = 0; series < 30; series++) {
            long[] micros = new long[80];
            double[] values = new double[80];
            for (int i = 0; i < micros.length; i++) {
                micros[i] = (i + 1) * 50_000L;
                values[i] = random.nextDouble();
            }
            many.add(new SampleSeries("host", "noise" + series, micros, values));
        }
        BottleneckReport report = BottleneckSearch.in(List.of(web), many, RULES);

        assertThat(report.bottlenecks()).hasSize(1);
        assertThat(report.bottlenecks().get(0).isExplained(0.05)).isFalse();
        assertThat(report.bottlenecks().get(0).isTooShort(0.05)).isTrue();
    }

    @Test
    void runsOfAnyLength_areSearched() throws TierOverflow {
        for (int windows = 1; windows < 60; windows++) {
            ExchangeColumns web = tier("web");
            long end = windows * 50_000L - 1;
            for (int i = 0; i < 400; i++) {
                web.add("GET /", end * i / 400, i < 300 ? end * i / 400 + 10 : end, true);
            }
            long[] micros = {10_000, 60_000, 110_000, 160_000, 210_000, end};
            SampleSeries series = new SampleSeries("host", "x", micros, new double[] {1, 5, 2, 3, 4, 9});
            BottleneckReport report = BottleneckSearch.in(List.of(web), List.of(series), RULES);
            assertThat(report.windows().get(0).count()).isEqualTo(windows);
        }
    }

    @Test
    void theSameInput_givesTheSameReport() throws TierOverflow {
        StallSimulation run = new StallSimulation(7, 60, 3);
        assertThat(BottleneckSearch.in(run.tiers, run.samples, RULES).bottlenecks())
                .isEqualTo(BottleneckSearch.in(run.tiers, run.samples, RULES).bottlenecks());
    }
}
