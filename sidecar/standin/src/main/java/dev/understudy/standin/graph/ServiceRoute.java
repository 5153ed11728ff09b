package dev.understudy.standin.graph;

import java.util.List;

/**
 * What a service is asked for, and whom it asks meanwhile.
 *
 * @param route such as {@code GET /orders/{id}}
 * @param requests how many there were
 * @param meanMillis how long they took on average, by the service's own span
 * @param atOnce how many calls one request had going on at most; 0 if it makes none
 * @param calls by their mean position
 */
public record ServiceRoute(String route, long requests, double meanMillis, int atOnce, List<ServiceCall> calls) {
    public ServiceRoute {
        calls = List.copyOf(calls);
    }
}
