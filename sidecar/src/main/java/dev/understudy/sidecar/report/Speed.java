package dev.understudy.sidecar.report;

import dev.understudy.divergence.latency.LatencySample;
import dev.understudy.divergence.latency.MannWhitney;
import dev.understudy.divergence.latency.PercentileTest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How long debug takes beside production. Times are in milliseconds.
 *
 * @param exchanges how many both sides answered
 * @param tests nothing if there are fewer than {@value #FEWEST}
 */
public record Speed(
        LatencySample production,
        LatencySample debug,
        long exchanges,
        @Nullable Tests tests) {
    private static final int FEWEST = 10;
    private static final int FEWEST_FOR_P99 = 200;
    private static final double SURE = 0.01;

    /**
     * What can be said with a probability.
     *
     * @param all of the whole distributions
     * @param median of the 50th percentiles
     * @param p99 of the 99th; nothing if there are too few to have one
     */
    public record Tests(
            MannWhitney all,
            PercentileTest median,
            @Nullable PercentileTest p99) {}

    /** @param cost of the instrumentation, which is taken out of debug's times */
    static Speed of(List<Session.Route> routes, Cost cost) {
        Map<Double, Long> production = new TreeMap<>();
        Map<Double, Long> debug = new TreeMap<>();
        for (Session.Route route : routes) {
            route.productionMicros().forEach((micros, count) -> production.merge(micros / 1000.0, count, Long::sum));
            double taken = cost.of(route.route());
            route.debugMicros()
                    .forEach((micros, count) -> debug.merge(Math.max(0, micros - taken) / 1000.0, count, Long::sum));
        }
        LatencySample ofProduction = LatencySample.counted(production);
        LatencySample ofDebug = LatencySample.counted(debug);
        long exchanges = Math.min(ofProduction.size(), ofDebug.size());
        Tests tests = exchanges < FEWEST
                ? null
                : new Tests(
                        MannWhitney.compare(ofProduction, ofDebug),
                        PercentileTest.compare(50, ofProduction, ofDebug),
                        exchanges < FEWEST_FOR_P99 ? null : PercentileTest.compare(99, ofProduction, ofDebug));
        return new Speed(ofProduction, ofDebug, exchanges, tests);
    }

    /** {@code p99 −12 % (p<0.01)}: the 99th percentile, or the median where there are too few. */
    String sentence() {
        if (tests == null) {
            return "too few answers to compare their speed (" + exchanges + ")";
        }
        return tests.p99 == null ? told(tests.median) : told(tests.p99);
    }

    /** By how many percent debug's percentile is higher, as far as it is sure; 0 if it isn't. */
    double surelySlower(double percent) {
        PercentileTest test = tests == null ? null : percent == 50 ? tests.median : tests.p99;
        return test == null || test.p() >= SURE ? 0 : test.change() * 100;
    }

    static String told(PercentileTest test) {
        String which = test.percent() == 50 ? "median " : String.format(Locale.ROOT, "p%.0f ", test.percent());
        return which + percent(test.change()) + " (" + probability(test.p()) + ")";
    }

    /** {@code −12 %}; in full below 10, and never rounded to nothing. */
    static String percent(double share) {
        if (share == 0) {
            return "±0 %";
        }
        double rounded = Math.abs(share * 100);
        String digits = Double.isInfinite(rounded)
                ? "∞"
                : String.format(Locale.ROOT, rounded < 9.95 ? "%.1f" : "%.0f", rounded);
        return (share < 0 ? "−" : "+") + digits + " %";
    }

    /** {@code p<0.01}, {@code p=0.23}. */
    static String probability(double p) {
        return p < 0.001 ? "p<0.001" : p < SURE ? "p<0.01" : String.format(Locale.ROOT, "p=%.2f", p);
    }
}
