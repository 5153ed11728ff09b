package dev.understudy.sidecar.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What instrumentation takes of a debug JVM's requests on average, by what its agent told of some of them. Immutable.
 *
 * @param byRoute in microseconds; the mean of all where too few of a route were measured
 * @param micros of all of them, in microseconds; 0 if it isn't known
 * @param statement what is taken out, and what isn't known, in some sentences
 */
public record Cost(Map<String, Double> byRoute, double micros, String statement) {
    private static final int ENOUGH = 20;

    public Cost {
        byRoute = Map.copyOf(byRoute);
    }

    /** That of one debug JVM's requests through one listener. */
    static Cost of(List<Session.Route> routes) {
        long measured =
                routes.stream().mapToLong(route -> route.overhead().measured()).sum();
        if (measured < ENOUGH) {
            return new Cost(
                    Map.of(),
                    0,
                    (measured == 0 ? "No agent has told" : "The agent has told of too few requests (" + measured + ")")
                            + " what instrumentation costs: it isn't known, and nothing is taken out.");
        }
        double mean = routes.stream()
                        .mapToDouble(route ->
                                route.overhead().measured() * route.overhead().micros())
                        .sum()
                / measured;
        long borrowed = routes.stream()
                .filter(route -> route.overhead().measured() < ENOUGH)
                .count();
        Map<String, Double> byRoute = routes.stream()
                .collect(Collectors.toMap(
                        Session.Route::route,
                        route -> route.overhead().measured() < ENOUGH
                                ? mean
                                : route.overhead().micros(),
                        (one, same) -> one));
        return new Cost(byRoute, mean, statement(mean, measured, borrowed));
    }

    private static String statement(double mean, long measured, long borrowed) {
        String others = borrowed == 0
                ? ""
                : " Of " + Report.grouped(borrowed) + (borrowed == 1 ? " route" : " routes") + " fewer than " + ENOUGH
                        + " were measured: there it is the mean of all.";
        return String.format(
                Locale.ROOT,
                "The instrumentation's cost, %.1f µs of a request on average, is taken out "
                        + "of debug's times route by route, as the agent"
                        + " measured it in %s requests: what it sampled and observed on the "
                        + "request's thread.%s What counting calls"
                        + " that weren't sampled costs, what happens on other threads, and "
                        + "what the JIT does otherwise isn't known"
                        + " and stays in.",
                mean,
                Report.grouped(measured),
                others);
    }

    /** What is taken out of a route's times, in microseconds. */
    double of(String route) {
        return byRoute.getOrDefault(route, micros);
    }
}
