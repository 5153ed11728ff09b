package dev.understudy.relay.starttls;

import dev.understudy.relay.tls.TlsEndHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;

/** Puts TLS in front of a connection's other stages, in its middle. */
public final class TlsStages implements Consumer<ChannelHandlerContext> {
    private final Supplier<SslHandler> handlers;
    private final long handshakeMillis;
    private final boolean lenient;

    /** @param lenient whether a FIN without a {@code close_notify} is an end in good order */
    public TlsStages(Supplier<SslHandler> handlers, long handshakeMillis, boolean lenient) {
        this.handlers = handlers;
        this.handshakeMillis = handshakeMillis;
        this.lenient = lenient;
    }

    /**
     * What follows on the connection of {@code asking} is TLS. If that comes to nothing, the stages behind
     * {@code asking} are told so by an {@link SSLHandshakeException}. On the connection's event loop.
     */
    @Override
    public void accept(ChannelHandlerContext asking) {
        SslHandler tls = handlers.get();
        tls.setHandshakeTimeoutMillis(handshakeMillis);
        tls.handshakeFuture().addListener(shaken -> {
            if (!shaken.isSuccess()) {
                // Later: first the handler says why, in an alert, and closes.
                asking.executor().execute(() -> asking.fireExceptionCaught(failure(shaken.cause())));
            }
        });
        asking.pipeline().addFirst(tls, new TlsEndHandler(tls, lenient));
    }

    private static SSLHandshakeException failure(Throwable cause) {
        SSLHandshakeException failure = new SSLHandshakeException(String.valueOf(cause.getMessage()));
        failure.initCause(cause);
        return failure;
    }
}
