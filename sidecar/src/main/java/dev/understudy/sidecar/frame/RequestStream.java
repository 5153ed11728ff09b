package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.NotCompared;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Cuts the client's bytes into requests and hands every one of them on, in order. Confined to its lane loop. */
public interface RequestStream {
    /**
     * Receives the cut stream; the bytes of all calls together are the client's, in order.
     *
     * @param <X> what stands for a request and what comes of it
     */
    interface Cut<X> {
        /** A request begins; takes ownership of its bytes. Null if nothing of it can be kept. */
        @Nullable
        X request(Request request, ByteBuf bytes, long arrivedNanos, long nanos);

        /** More of its bytes, owned by the receiver. */
        void body(X exchange, ByteBuf bytes, long nanos);

        /** The request is whole. */
        void requestEnd(X exchange, long nanos);

        /**
         * The client has ended within the request, whose rest never comes.
         *
         * @return false if that makes the stream one that can't be cut any further
         */
        default boolean cutOff(X exchange, long nanos) {
            return false;
        }

        /** The client wants no answer any more to what it asked on that {@link Request#stream}. */
        default void cancelled(int stream, long nanos) {}

        /**
         * The stream can't be cut any further; called once.
         *
         * @param unfinished the request it happened in
         * @param why what that is for those that keep count of it
         * @param reason the same in words
         */
        void unframed(@Nullable X unfinished, NotCompared why, String reason, long nanos);

        /** A request can't be read: what it says goes on as bytes of none, and later requests as usual. */
        default void unread(String reason, long nanos) {}

        /** Bytes that belong to no request, owned by the receiver. */
        void raw(ByteBuf bytes, long nanos);
    }

    /** Takes ownership of {@code data}. */
    void data(ByteBuf data, long nanos);

    /** The client has ended its direction. */
    void end(long nanos);

    /** What follows are no requests any more. */
    void leave(String reason);

    /** Gives back what is held. */
    void release();
}
