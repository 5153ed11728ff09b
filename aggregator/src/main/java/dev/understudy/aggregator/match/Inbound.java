package dev.understudy.aggregator.match;

import dev.understudy.divergence.content.WordFilter;
import org.jspecify.annotations.Nullable;

/**
 * What the sidecar knows at one moment of one inbound exchange.
 *
 * @param id the sidecar's number for it
 * @param trace the trace that the client named, and production was told; null if it named none
 * @param debugTrace the trace that the debug JVM was told; null if it was told none
 * @param production from the request's first byte to the reply's last byte in production
 * @param handed when the debug JVM was given it, at the earliest; null before that
 * @param done when the debug JVM was done with it, or given up; null before that
 * @param shown the values that stand in production's reply; null if they aren't known
 */
public record Inbound(
        long id,
        @Nullable TraceId trace,
        @Nullable TraceId debugTrace,
        TimeSpan production,
        @Nullable Long handed,
        @Nullable Long done,
        @Nullable WordFilter shown) {
    /** One of whose reply nothing is known. */
    public Inbound(
            long id,
            @Nullable TraceId trace,
            @Nullable TraceId debugTrace,
            TimeSpan production,
            @Nullable Long handed,
            @Nullable Long done) {
        this(id, trace, debugTrace, production, handed, done, null);
    }

    /** From when debug was given it until it was done with it; null if debug doesn't have it yet. */
    public @Nullable TimeSpan debug() {
        return handed == null ? null : new TimeSpan(handed, done == null ? Long.MAX_VALUE : done);
    }

    /** Whether production may make further calls for it. */
    public boolean open() {
        return production.to() == Long.MAX_VALUE;
    }

    /** Whether the debug JVM is at it. */
    public boolean served() {
        return handed != null && done == null;
    }

    /** The same, with the trace in which production turned out to make its calls. */
    Inbound within(TraceId learned) {
        return new Inbound(id, learned, debugTrace, production, handed, done, shown);
    }

    /** The same with the values of production's reply, for as long as debug is at it. */
    Inbound showing(@Nullable WordFilter values) {
        return new Inbound(id, trace, debugTrace, production, handed, done, done == null ? values : null);
    }
}
