package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/** What was observed of one exchange that is over. Immutable. */
public final class Observed {
    private final String span;
    private final int port;
    private final long from;
    private final long to;
    private final int[] predicates;
    private final boolean whole;
    private final int epoch;
    private final long nanos;
    private final @Nullable String escaped;

    Observed(
            String span,
            int port,
            long from,
            long to,
            int[] predicates,
            boolean whole,
            int epoch,
            long nanos,
            @Nullable String escaped) {
        this.span = span;
        this.port = port;
        this.from = from;
        this.to = to;
        this.predicates = predicates;
        this.whole = whole;
        this.epoch = epoch;
        this.nanos = nanos;
        this.escaped = escaped;
    }

    /** The 16 hexadecimal digits of the exchange's debug span; empty if it isn't traced. */
    public String span() {
        return span;
    }

    /** The port of its connection's peer; 0 if it isn't known where its request was read. */
    public int port() {
        return port;
    }

    /** How many bytes of its connection came before its request. */
    public long from() {
        return from;
    }

    /** How many bytes of its connection were read when it ended. */
    public long to() {
        return to;
    }

    /** The ids of the predicates that held, in the order in which they came true. */
    public int[] predicates() {
        return predicates.clone();
    }

    /** Whether a method that isn't named wasn't called: no limit was met, and no gate opened or closed meanwhile. */
    public boolean whole() {
        return whole;
    }

    /** {@link Gates#epoch} when it began. */
    public int epoch() {
        return epoch;
    }

    /** From the server's entry to its exit, in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    /** The class name of what the server's entry threw, or null if it returned. */
    public @Nullable String escaped() {
        return escaped;
    }
}
