package dev.understudy.sidecar.verdict;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How faithful a listener's, or one connection's, copy was at one moment.
 *
 * @param statement all of it in one line
 * @param state what the copy began with; null if nobody said
 * @param arrived requests that arrived
 * @param delivered of those, how many reached the debug JVM whole; what is neither delivered nor lost is on its way
 * @param lost of those, how many won't
 * @param faithfulUpTo number of the last request before the first that was lost; null while none is
 * @param holes lanes that lost bytes which nobody had framed: requests among those are neither in arrived nor in lost
 * @param unframedBytes bytes without frames that reached the debug JVM
 * @param lostBytes bytes that won't reach it, by reason; a reason may have none
 * @param gaps what no lane has counted; a connection has none
 */
public record FidelityReading(
        String statement,
        @Nullable CopyState state,
        long arrived,
        long delivered,
        long lost,
        @Nullable Long faithfulUpTo,
        long holes,
        long unframedBytes,
        Map<String, Long> lostBytes,
        TapGaps gaps) {
    /** Whether nothing was lost. */
    public boolean isFaithful() {
        return lostBytes.isEmpty() && !gaps.any();
    }
}
