package dev.understudy.sidecar.frame;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.tee.Sampling;
import org.jspecify.annotations.Nullable;

/** One request, as far as lanes want to know of it. Immutable. */
public interface Request {
    /** What hangs together on a connection, so that leaving out a part of it would change the meaning of the rest. */
    enum Part {
        /** Nothing depends on it but its own reply. */
        ALONE,
        /** Later requests depend on it: it is never left out. */
        STATE,
        /** Begins a unit that goes as a whole or not at all. */
        FIRST,
        /** Within such a unit. */
        INNER,
        /** Ends it. */
        LAST
    }

    /** What it wants done, in a word: an HTTP method, a Redis command. */
    String method();

    /** What it is about, with secrets masked: {@code /orders/7?page=2}, {@code user:17}; empty if about nothing. */
    String target(Masking masking);

    /** The {@code traceparent} that the client sent; null if none. */
    default @Nullable String clientTrace() {
        return null;
    }

    /**
     * Its place where requests are said at the same time, between each other's bytes, and answered so: unique on its
     * connection. 0 where they follow one another.
     */
    default int stream() {
        return 0;
    }

    /** What depends on it. */
    default Part part() {
        return Part.ALONE;
    }

    /** Whether its reply may wait for something else to happen, however long that takes. */
    default boolean waits() {
        return false;
    }

    /** Whether its sender says that nothing follows it on the connection: what does is never served. */
    default boolean isLast() {
        return false;
    }

    /**
     * How many of its bytes are waited for, so that the debug JVM is told all of it at once, as
     * {@link RequestRewriter#request} may then change it; one that turns out to be longer goes on as it comes, and so
     * does all of 0.
     */
    default int gathered() {
        return 0;
    }

    /** Whether the debug JVM is to get it. */
    boolean isIn(Sampling sampling);

    /** Bytes of memory that it occupies, roughly, for a budget. */
    long heldBytes();
}
