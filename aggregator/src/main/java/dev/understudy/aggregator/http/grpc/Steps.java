package dev.understudy.aggregator.http.grpc;

import org.jspecify.annotations.Nullable;

/**
 * A recorded conversation, from its beginning to its end. Confined to the event loop of the connection that it is told
 * to.
 */
interface Steps {
    /** The next step, which is the caller's; null if it has to be read first. The last one comes again and again. */
    @Nullable
    GrpcStep next();

    /** Nobody wants the rest. */
    default void close() {}
}
