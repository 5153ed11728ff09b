package dev.understudy.sidecar.control.flame;

import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.finding.RouteSnapshot;
import dev.understudy.sidecar.flame.Flame;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long both sides took for each route: since the beginning, or in a span of time, as far as its exchanges are kept.
 * For all threads.
 */
public final class RouteTimes {
    private static final int MOST_SEARCHED = 200_000;
    private static final double DIGITS = 1_000; // three of a time

    private final Map<String, Findings> findings;
    private final ExchangeLog exchanges;

    /** @param findings those of each debug JVM */
    public RouteTimes(Map<String, Findings> findings, ExchangeLog exchanges) {
        this.findings = findings;
        this.exchanges = exchanges;
    }

    /**
     * Of exchanges that both sides answered in full.
     *
     * @param production how often production took how many microseconds
     * @param debug the same of debug
     */
    record SideTimes(Map<Long, Long> production, Map<Long, Long> debug) {
        static final SideTimes NONE = new SideTimes(Map.of(), Map.of());
    }

    private record RouteKey(String debug, String listener, String route) {}

    /** Those that a caller wants to see. */
    static final class ByRoute {
        private final Map<RouteKey, SideTimes> times = new HashMap<>();

        /** Nothing if nothing is known. */
        SideTimes of(String debug, String listener, String route) {
            return times.getOrDefault(new RouteKey(debug, listener, route), SideTimes.NONE);
        }
    }

    ByRoute of(FlameQuery query) {
        return query.span().equals(Flame.Span.ALL) ? whole() : kept(query);
    }

    private ByRoute whole() {
        ByRoute all = new ByRoute();
        findings.forEach((debug, found) -> found.listeners().forEach(listener -> {
            for (RouteSnapshot.Route route : found.of(listener).routes()) {
                all.times.put(
                        new RouteKey(debug, listener, route.route()), new SideTimes(route.production(), route.debug()));
            }
        }));
        return all;
    }

    private ByRoute kept(FlameQuery query) {
        ByRoute kept = new ByRoute();
        exchanges.search(
                entry -> {
                    Judged judged = entry.judged();
                    Double production = judged.productionMillis();
                    Double debug = judged.debugMillis();
                    if (production != null
                            && debug != null
                            && query.span().contains(judged.at())
                            && query.fits(judged.listener(), entry.debug(), entry.route())) {
                        SideTimes times = kept.times.computeIfAbsent(
                                new RouteKey(entry.debug(), judged.listener(), entry.route()),
                                unseen -> new SideTimes(new TreeMap<>(), new TreeMap<>()));
                        times.production().merge(micros(production), 1L, Long::sum);
                        times.debug().merge(micros(debug), 1L, Long::sum);
                    }
                    return false;
                },
                0,
                Long.MAX_VALUE,
                1,
                MOST_SEARCHED);
        return kept;
    }

    private static long micros(double millis) {
        double micros = Math.max(1, millis * 1_000);
        double unit = Math.max(1, Math.pow(10, Math.floor(Math.log10(micros))) * 10 / DIGITS);
        return (long) (Math.round(micros / unit) * unit);
    }
}
