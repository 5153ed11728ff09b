package dev.understudy.standin.run;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a stand-in has answered. Safe for all threads. */
public final class StandInCounts {
    private final Map<String, LongAdder> routes = new ConcurrentHashMap<>();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder refused = new LongAdder();

    void answered(String route) {
        routes.computeIfAbsent(route, any -> new LongAdder()).increment();
    }

    void unknownRoute() {
        unknown.increment();
    }

    void refused() {
        refused.increment();
    }

    /** Answered requests by route. */
    public Map<String, Long> byRoute() {
        Map<String, Long> counts = new TreeMap<>();
        routes.forEach((route, count) -> counts.put(route, count.sum()));
        return counts;
    }

    /** Requests of routes that the model hasn't; they got a 404. */
    public long unknownRoutes() {
        return unknown.sum();
    }

    /** Requests and connections beyond the bounds; requests got a 503. */
    public long refusals() {
        return refused.sum();
    }
}
