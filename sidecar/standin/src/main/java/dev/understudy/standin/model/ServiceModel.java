package dev.understudy.standin.model;

import java.util.List;

/**
 * What is known of one service: what it is asked, what it answers, and how long that takes. Immutable.
 *
 * @param service its name
 * @param exchanges how many exchanges it was learned from
 * @param seconds how long they took from the first to the last
 * @param workers how many requests it works on at the same time; 0 if no limit was seen
 * @param arrivals when requests come
 * @param routes what is asked, at least one, the most frequent first
 */
public record ServiceModel(
        String service, long exchanges, double seconds, int workers, ArrivalModel arrivals, List<RouteModel> routes) {
    /** How many workers a model may have. */
    public static final int MOST_WORKERS = 1000;

    public ServiceModel {
        if (service.isBlank()) {
            throw new IllegalArgumentException("service: \"\" (expected: a name)");
        }
        if (workers < 0 || workers > MOST_WORKERS) {
            throw new IllegalArgumentException("workers: " + workers + " (expected: 0 to " + MOST_WORKERS + ")");
        }
        if (routes.isEmpty()) {
            throw new IllegalArgumentException("routes: none (expected: at least one)");
        }
        routes = List.copyOf(routes);
    }
}
