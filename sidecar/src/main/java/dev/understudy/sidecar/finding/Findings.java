package dev.understudy.sidecar.finding;

import dev.understudy.sidecar.verdict.Judged;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What was found of all replies of one debug JVM, listener by listener. For all threads. */
public final class Findings {
    private final Map<String, RouteStatistics> books = new ConcurrentHashMap<>();

    /**
     * Counts one, and keeps it if it is a divergence of a new sort; its secrets are masked.
     *
     * @return the route that it was counted for, the same object for all of a route
     */
    public String add(Judged judged) {
        return books.computeIfAbsent(judged.listener(), unseen -> new RouteStatistics())
                .add(judged);
    }

    /** The listeners of which anything was found. */
    public Set<String> listeners() {
        return Set.copyOf(books.keySet());
    }

    /** All that was found of a listener's. */
    public RouteSnapshot of(String listener) {
        RouteStatistics book = books.get(listener);
        return (book == null ? new RouteStatistics() : book).read();
    }
}
