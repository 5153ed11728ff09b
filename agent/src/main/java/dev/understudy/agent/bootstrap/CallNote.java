package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * Whose work a thread did when it went to write to one of the aggregator's debug ports; or that later ones found no
 * room.
 *
 * <p>Each leads to the one before; the chain ends with a mark, which notes nothing. Immutable once others can see it.
 */
public final class CallNote {
    private final int localPort;
    private final int port;
    private final @Nullable String trace;
    private @Nullable CallNote before;
    private long nanos;
    private int count;
    private int dropped;

    /** A mark. */
    CallNote() {
        this(0, 0, null);
    }

    CallNote(int localPort, int port, @Nullable String trace) {
        this.localPort = localPort;
        this.port = port;
        this.trace = trace;
    }

    /** It comes after {@code latest}; where there are {@code most} already, it only says until when some lack. */
    void follow(CallNote latest, int most, long now) {
        nanos = now;
        boolean full = latest.count >= most;
        count = full ? latest.count : latest.count + 1;
        dropped = full ? latest.dropped + 1 : 0;
        before = latest.dropped > 0 ? latest.before : latest;
    }

    /** The port of this end of the connection. */
    public int localPort() {
        return localPort;
    }

    /** The aggregator's port. */
    public int port() {
        return port;
    }

    /** The trace id of the exchange, 32 hexadecimal digits; null if none is known. */
    public @Nullable String trace() {
        return trace;
    }

    /** When, as {@link System#nanoTime()} has it. */
    public long nanos() {
        return nanos;
    }

    /** How many notes found no room, the last of them now; 0 if this is one itself. */
    public int dropped() {
        return dropped;
    }

    /** The one before, or a mark; null of a mark. */
    public @Nullable CallNote before() {
        return before;
    }

    /** How many of a chain there are up to this one. */
    int count() {
        return count;
    }
}
