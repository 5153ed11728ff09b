package dev.understudy.aggregator.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for one request. Immutable.
 *
 * @param rules those that hit it
 * @param delayNanos before it is looked at
 * @param bytesPerSecond for its reply; 0 for no limit
 * @param closeNanos by which its connection's end is delayed from now on; 0 for not
 * @param end what it gets instead of a reply; null if it gets one
 */
public record Injection(
        List<FaultRule> rules,
        long delayNanos,
        long bytesPerSecond,
        long closeNanos,
        @Nullable Fault end) {
    /** No fault. */
    public static final Injection NONE = new Injection(List.of(), 0, 0, 0, null);

    /** The names of the rules that hit it. */
    public List<String> names() {
        return rules.isEmpty() ? List.of() : rules.stream().map(FaultRule::name).toList();
    }

    /** The error that it gets instead of a reply; null if it gets a reply. */
    public Fault.@Nullable ErrorReply error() {
        return end instanceof Fault.ErrorReply error ? error : null;
    }

    /** How an error of ours says that it is one, e.g. {@code injected by understudy (slow-db): too slow}. */
    public String says(Fault.ErrorReply error) {
        return "injected by understudy (" + String.join(", ", names()) + "): " + error.message();
    }
}
