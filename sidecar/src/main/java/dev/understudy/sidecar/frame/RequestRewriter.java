package dev.understudy.sidecar.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * What the debug JVM is told on one connection instead of what the client said there, in the same order. Confined to
 * its lane loop.
 */
public interface RequestRewriter {
    /**
     * A request's first bytes.
     *
     * @param raw as the client sent them, all of the request where it was {@link Request#gathered}; owned by this call,
     *     as the result is by the caller
     * @param traceparent the trace that it belongs to; null for none
     */
    ByteBuf request(Request request, ByteBuf raw, @Nullable String traceparent);

    /** Bytes that no request begins with; owned by this call, as the result is by the caller. */
    default ByteBuf more(ByteBuf raw) {
        return raw;
    }

    /** What was kept back so far, owned by the caller: the client says nothing more. */
    default ByteBuf rest() {
        return Unpooled.EMPTY_BUFFER;
    }

    /** Whether nothing can be told any more: what follows depends on what was changed before, and can't be read. */
    default boolean stuck() {
        return false;
    }

    /** Nothing more is told: gives back what is held. */
    default void release() {}
}
