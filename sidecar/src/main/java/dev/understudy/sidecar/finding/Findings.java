package dev.understudy.sidecar.finding;

import dev.understudy.sidecar.verdict.Judged;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What was found of all replies of one debug JVM, listener by listener. For all threads. */
public final class Findings {
    private final Map<String, RouteStatistics> books = new ConcurrentHashMap<>();

    /** Counts one, and keeps it if it is a divergence of a new sort; its secrets are masked. */
    public void add(Judged judged) {
        books.computeIfAbsent(judged.listener(), unseen -> new RouteStatistics())
                .add(judged);
    }

    /** All that was found of a listener's. */
    public RouteSnapshot of(String listener) {
        RouteStatistics book = books.get(listener);
        return (book == null ? new RouteStatistics() : book).read();
    }
}
