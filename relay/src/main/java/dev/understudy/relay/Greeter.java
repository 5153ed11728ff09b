package dev.understudy.relay;

import dev.understudy.relay.accept.ProxyHeader;
import dev.understudy.relay.accept.ProxyHeaderHandler;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.starttls.StartTlsHandler;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tls.TlsEndHandler;
import dev.understudy.relay.tls.TlsSide;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What has to be done with a client before it can be relayed: its PROXY header, then its TLS handshake, both bounded in
 * time and number. Thread-safe; each client is confined to its event loop.
 */
final class Greeter {
    /** The most clients of a listener that may be in this stage at a time. */
    static final int MOST_WAITING = 1024;

    static final long HANDSHAKE_MILLIS = 10_000;

    private final ProxyProtocolConfig proxy;
    private final @Nullable TlsSide tls;
    private final boolean asks;
    private final RelayMetrics metrics;
    private final BiConsumer<SocketChannel, ProxyHeader> relay;
    private final Set<SocketChannel> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /**
     * @param asks whether clients ask for TLS, in PostgreSQL's words, before they begin with it
     * @param relay goes on with a client of whom the header tells more than its socket does
     */
    Greeter(
            ProxyProtocolConfig proxy,
            @Nullable TlsSide tls,
            boolean asks,
            RelayMetrics metrics,
            BiConsumer<SocketChannel, ProxyHeader> relay) {
        this.proxy = proxy;
        this.tls = tls;
        this.asks = asks;
        this.metrics = metrics;
        this.relay = relay;
    }

    void greet(SocketChannel client) {
        if (!proxy.wanted()) {
            secure(client, ProxyHeader.UNKNOWN);
        } else if (!proxy.trusts(client.remoteAddress())) {
            refuse(client, CloseReason.HEADER_UNTRUSTED);
        } else if (waiting.size() >= MOST_WAITING) {
            refuse(client, CloseReason.HEADER_LATE);
        } else {
            waiting.add(client);
            client.pipeline().addLast(new ProxyHeaderHandler(proxy.timeout().toMillis(), new HeaderOutcome(client)));
        }
    }

    private void secure(SocketChannel client, ProxyHeader told) {
        if (!asks && tls == null) {
            relay.accept(client, told);
        } else if (waiting.size() >= MOST_WAITING) {
            refuse(client, CloseReason.TLS_FAILED);
        } else if (asks) {
            waiting.add(client);
            client.pipeline()
                    .addLast(new StartTlsHandler(tls != null, HANDSHAKE_MILLIS, new AskedOutcome(client, told)));
            client.eventLoop().execute(client::read);
        } else {
            shake(client, told);
        }
    }

    private void shake(SocketChannel client, ProxyHeader told) {
        if (tls != null) {
            waiting.add(client);
            SslHandler handler = tls.handler(client.alloc());
            handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
            handler.handshakeFuture().addListener(shaken -> {
                waiting.remove(client);
                if (shaken.isSuccess()) {
                    relay.accept(client, told);
                } else {
                    // The handler says why to the client, in an alert, and closes.
                    metrics.ended(stopping ? CloseReason.SHUTDOWN : CloseReason.TLS_FAILED);
                }
            });
            client.pipeline().addLast(handler, new TlsEndHandler(handler, true));
            client.eventLoop().execute(client::read);
        }
    }

    /** Resets a client that isn't relayed. */
    void refuse(SocketChannel client, CloseReason reason) {
        Relay.discard(client);
        metrics.ended(reason);
    }

    /** Resets all that are in this stage, on their loops. */
    void abort() {
        stopping = true;
        for (SocketChannel client : waiting) {
            client.eventLoop().execute(() -> Relay.discard(client));
        }
    }

    /** What becomes of a client that may ask for TLS. */
    private final class AskedOutcome implements StartTlsHandler.Outcome {
        private final SocketChannel client;
        private final ProxyHeader told;

        AskedOutcome(SocketChannel client, ProxyHeader told) {
            this.client = client;
            this.told = told;
        }

        @Override
        public void plain() {
            waiting.remove(client);
            relay.accept(client, told);
        }

        @Override
        public void encrypted() {
            shake(client, told);
        }

        @Override
        public void left() {
            waiting.remove(client);
            client.close();
            metrics.ended(CloseReason.FINISHED);
        }

        @Override
        public void failed() {
            waiting.remove(client);
            refuse(client, stopping ? CloseReason.SHUTDOWN : CloseReason.TLS_FAILED);
        }
    }

    /** What becomes of a client whose PROXY header is awaited. */
    private final class HeaderOutcome implements ProxyHeaderHandler.Outcome {
        private final SocketChannel client;

        HeaderOutcome(SocketChannel client) {
            this.client = client;
        }

        @Override
        public void header(ProxyHeader header) {
            waiting.remove(client);
            secure(client, header);
        }

        @Override
        public void failed(ProxyHeaderHandler.Failure failure) {
            waiting.remove(client);
            if (failure == ProxyHeaderHandler.Failure.LEFT) {
                client.close();
                metrics.ended(CloseReason.FINISHED);
            } else {
                refuse(client, stopping ? CloseReason.SHUTDOWN : reason(failure));
            }
        }

        private CloseReason reason(ProxyHeaderHandler.Failure failure) {
            return switch (failure) {
                case MALFORMED -> CloseReason.HEADER_MALFORMED;
                case LATE -> CloseReason.HEADER_LATE;
                case LEFT -> CloseReason.FINISHED;
                case RESET -> CloseReason.RESET_BY_CLIENT;
            };
        }
    }
}
