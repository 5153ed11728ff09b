package dev.understudy.testing.client;

import java.util.Map;

/**
 * The counters of the sidecar and the aggregator at one moment, since the start.
 *
 * @param answered exchanges that production answered
 * @param verdicts exchanges by kind of verdict
 * @param lost events by the reason of the loss; empty if no input was lost on its way to debug
 * @param pending exchanges that debug has not answered yet
 * @param copied whether all bytes of requests were copied that were relayed
 * @param calls exchanges by how their upstream calls compare; empty without upstreams
 * @param missed upstream calls of debug without a recorded reply
 */
public record ComparisonCounts(
        long answered,
        Map<String, Long> verdicts,
        Map<String, Long> lost,
        long pending,
        boolean copied,
        Map<String, Long> calls,
        long missed) {
    public ComparisonCounts {
        verdicts = Map.copyOf(verdicts);
        lost = Map.copyOf(lost);
        calls = Map.copyOf(calls);
    }

    /** Exchanges that have a verdict. */
    public long judged() {
        return verdicts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether debug has answered, and the sidecar has judged, all that production answered. */
    public boolean isSettled() {
        return copied && pending == 0 && judged() >= answered;
    }
}
