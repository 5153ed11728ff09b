package dev.understudy.aggregator.match;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message of the debug JVM's agent: for which exchanges its threads wrote on connections; all times are its own.
 *
 * @param run tells one process from another
 * @param sameClock whether its clock is ours
 * @param sent when it was sent
 * @param roundTrip the shortest that a message and its answer took; 0 if none was answered yet
 * @param toldUntil all writes that began before have been told
 * @param lostUntil of writes up to then some weren't told, for want of room; null if none was ever lost
 * @param writes in order
 */
public record CallerNews(
        String run,
        boolean sameClock,
        long sent,
        long roundTrip,
        long toldUntil,
        @Nullable Long lostUntil,
        List<Write> writes) {
    public CallerNews {
        writes = List.copyOf(writes);
    }

    /**
     * A thread is about to write.
     *
     * @param port the connection's local port
     * @param to its remote port, which is one of ours; one local port may have connections to several
     * @param trace the trace that the debug JVM was told with the exchange that the thread serves; null if it serves
     *     none
     */
    public record Write(
            int port, int to, long nanos, @Nullable TraceId trace) {}
}
