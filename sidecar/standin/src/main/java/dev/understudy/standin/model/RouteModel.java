package dev.understudy.standin.model;

import dev.understudy.standin.value.Quantiles;
import java.util.List;

/**
 * One route of a service. Immutable.
 *
 * @param share of all requests, above 0 and up to 1
 * @param request what is asked
 * @param replies what is answered, at least one, the most frequent first
 * @param timeMillis how long the service works on one, without the time that it waits for a worker
 * @param processorMillis how much of that is processor time, on average; 0 if not known
 * @param allocatedBytes what one allocates, on average; 0 if not known
 */
public record RouteModel(
        double share,
        RequestModel request,
        List<ReplyModel> replies,
        Quantiles timeMillis,
        double processorMillis,
        long allocatedBytes) {
    /** What one request may allocate. */
    public static final long MOST_ALLOCATED = 1L << 30;

    public RouteModel {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share: " + share + " (expected: above 0, at most 1)");
        }
        if (replies.isEmpty()) {
            throw new IllegalArgumentException("replies: none (expected: at least one)");
        }
        if (!(processorMillis >= 0) || processorMillis > 60_000) {
            throw new IllegalArgumentException("processor-ms: " + processorMillis + " (expected: 0 to 60000)");
        }
        if (allocatedBytes < 0 || allocatedBytes > MOST_ALLOCATED) {
            throw new IllegalArgumentException(
                    "allocated-bytes: " + allocatedBytes + " (expected: 0 to " + MOST_ALLOCATED + ")");
        }
        replies = List.copyOf(replies);
    }
}
