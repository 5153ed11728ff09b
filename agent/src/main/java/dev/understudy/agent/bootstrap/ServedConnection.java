package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * A connection that the application has accepted, and how far its requests were read.
 *
 * <p>Read by one thread at a time; any may write.
 */
final class ServedConnection {
    /** The peer's. */
    final int port;
    /** Bytes read since it was accepted. */
    volatile long read;
    /** How many of them came before the request that is read, or worked on, now. */
    volatile long start;
    /** Whether something was written since that request's first bytes. */
    volatile boolean answered;
    /** The exchange whose thread went on to others before it was answered, if there is one. */
    volatile @Nullable AsyncExchange left;

    ServedConnection(int port) {
        this.port = port;
    }
}
