package dev.understudy.aggregator.match;

import org.jspecify.annotations.Nullable;

/**
 * One call of the debug JVM, as far as it tells which of its inbound exchanges made it.
 *
 * @param nanos when it came, on the journal's clock
 * @param trace the trace that it names; null if it names none
 * @param group production's transaction from which its own one has had replies; null if there is none
 */
public record UpstreamCall(
        long nanos, @Nullable TraceId trace, @Nullable ReplyGroup group) {

    /** Whether its transaction has had no replies from another one of production's. */
    public boolean isInNoneBut(ReplyGroup one) {
        return group == null || group == one;
    }
}
