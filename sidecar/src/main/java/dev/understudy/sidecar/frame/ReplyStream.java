package dev.understudy.sidecar.frame;

import io.netty.buffer.ByteBuf;

/**
 * Cuts one side's bytes into replies and gives each to the exchange whose turn it is. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
public interface ReplyStream<X> {
    /** Is told how the replies end. */
    interface End<X> {
        /** Bytes of its reply came. */
        default void heard(X exchange, long nanos) {}

        /** Its reply is complete. */
        void ended(X exchange);

        /** Its reply was given up by its sender; others go on. */
        default void cut(X exchange, long nanos) {}

        /** Its reply can't be read; others go on. */
        default void unread(X exchange, long nanos) {
            cut(exchange, nanos);
        }

        /** No reply after this can be told from the next; called once. */
        void unframed(String reason);
    }

    /** The next reply that isn't expected yet answers {@code exchange}, which is about {@code request}. */
    void expect(X exchange, Request request);

    /**
     * Nobody waits any longer for the reply to {@code request}, which may still come: only its place counts, where it
     * has one.
     */
    default void forget(Request request) {}

    /** Takes ownership of {@code data}. */
    void data(ByteBuf data, long nanos);

    /** The sender has ended its direction. */
    void end(long nanos);

    /** The exchanges whose replies are still to come, oldest first. */
    Iterable<X> expected();

    /** Whether no further reply can be told. */
    boolean isUnframed();
}
