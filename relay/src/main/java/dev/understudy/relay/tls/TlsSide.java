package dev.understudy.relay.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;

/** One side's TLS: makes the handler of a connection, and looks whether its files have changed. */
public interface TlsSide {
    /** A handler whose handshake isn't begun. For any thread. */
    SslHandler handler(ByteBufAllocator allocator);

    /**
     * Reads files that have changed; what is wrong with them is said once and changes nothing. For one thread,
     * blocking.
     */
    void refresh();
}
