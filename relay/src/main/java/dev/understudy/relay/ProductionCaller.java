package dev.understudy.relay;

import dev.understudy.relay.connect.Dial;
import dev.understudy.relay.connect.UnsuitedProtocol;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.starttls.MySqlServerTls;
import dev.understudy.relay.starttls.StartTls;
import dev.understudy.relay.starttls.StartTlsAsker;
import dev.understudy.relay.starttls.TlsStages;
import dev.understudy.relay.tls.ClientTls;
import dev.understudy.relay.tls.TlsEndHandler;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens one client's sockets to production: with TLS where that is set, when it counts as connected after the
 * handshake. Confined to the client's event loop.
 */
final class ProductionCaller implements Dial.Caller {
    private final EventLoops loops;
    private final EventLoop loop;
    private final @Nullable ClientTls tls;
    private final StartTls startTls;
    private final @Nullable String agreed;
    private final byte[] preface;
    private final boolean mayLoop;
    private final Supplier<ChannelHandler> tap;

    /**
     * @param agreed the protocol that the client has agreed on with us in its TLS handshake; null for none. Production
     *     has to speak the same where the first byte is TLS already
     * @param preface with TLS what is sent before the handshake; without, and where the server speaks first, it is the
     *     relay's to send
     * @param mayLoop whether a packet filter may lead the connection back to us
     * @param tap makes the first stage behind TLS
     */
    ProductionCaller(
            EventLoops loops,
            EventLoop loop,
            @Nullable ClientTls tls,
            StartTls startTls,
            @Nullable String agreed,
            byte[] preface,
            boolean mayLoop,
            Supplier<ChannelHandler> tap) {
        this.loops = loops;
        this.loop = loop;
        this.tls = tls;
        this.startTls = startTls;
        this.agreed = startTls == StartTls.FIRST_BYTE ? agreed : null;
        this.preface = preface;
        this.mayLoop = mayLoop;
        this.tap = tap;
    }

    @Override
    public ChannelFuture connect(SocketAddress address, int timeoutMillis) {
        if (tls != null && startTls == StartTls.MYSQL) {
            return open(address, timeoutMillis, inMySqlsWords(tls, timeoutMillis));
        }
        SslHandler handler = tls == null ? null : tls.handler(loops.allocator(), agreed);
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        StartTlsAsker asker = handler == null || startTls == StartTls.FIRST_BYTE
                ? null
                : new StartTlsAsker(handler, refused::complete);
        ChannelHandler[] first = asker != null
                ? new ChannelHandler[] {asker}
                : handler == null
                        ? new ChannelHandler[0]
                        : new ChannelHandler[] {handler, new TlsEndHandler(handler, false)};
        ChannelFuture connecting = open(address, timeoutMillis, first);
        if (handler == null || (connecting.isDone() && !connecting.isSuccess())) {
            return connecting;
        }
        handler.setHandshakeTimeoutMillis(timeoutMillis);
        ChannelPromise secured = secured(connecting, handler, asker, timeoutMillis);
        refused.thenAccept(secured::tryFailure);
        return secured;
    }

    /** The server speaks first, and the relay with it: what is agreed on counts when the connection is open already. */
    private MySqlServerTls inMySqlsWords(ClientTls there, int timeoutMillis) {
        return new MySqlServerTls(
                new TlsStages(() -> there.handler(loops.allocator()), timeoutMillis, false), preface.length);
    }

    private ChannelFuture open(SocketAddress address, int timeoutMillis, ChannelHandler... first) {
        return loops.towardsProduction(loop, address)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                .handler(stages(first))
                .connect(address);
    }

    private ChannelHandler stages(ChannelHandler... first) {
        return new ChannelInitializer<DuplexChannel>() {
            @Override
            protected void initChannel(DuplexChannel production) {
                RelayInitializer.demandReads(production);
                if (mayLoop) {
                    production.pipeline().addLast(new Remembered(loops.outgoing()));
                }
                production.pipeline().addLast(first).addLast(tap.get());
            }
        };
    }

    private ChannelPromise secured(
            ChannelFuture connecting, SslHandler handler, @Nullable StartTlsAsker asker, int timeoutMillis) {
        Channel channel = connecting.channel();
        ChannelPromise secured = channel.newPromise();
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                secured.tryFailure(connected.cause());
                return;
            }
            ChannelHandlerContext below = channel.pipeline().context(asker == null ? handler : asker);
            if (preface.length > 0 && below != null) {
                below.writeAndFlush(Unpooled.wrappedBuffer(preface));
            }
            handler.handshakeFuture().addListener(shaken -> {
                if (!shaken.isSuccess()) {
                    secured.tryFailure(
                            agreed != null && ClientTls.refusedProtocol(shaken.cause())
                                    ? new UnsuitedProtocol(agreed)
                                    : shaken.cause());
                } else if (ClientTls.suits(handler, agreed)) {
                    secured.trySuccess();
                } else {
                    channel.close();
                    secured.tryFailure(new UnsuitedProtocol(String.valueOf(agreed)));
                }
            });
            if (asker != null && below != null) {
                asker.ask(below, timeoutMillis);
            } else {
                channel.read();
            }
        });
        return secured;
    }

    /** Keeps a socket's local address while it is open, from its connect on: the SYN may come back to us. */
    private static final class Remembered extends ChannelOutboundHandlerAdapter {
        private final Set<SocketAddress> addresses;

        Remembered(Set<SocketAddress> addresses) {
            this.addresses = addresses;
        }

        @Override
        public void connect(
                ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            ctx.connect(remote, local, promise);
            SocketAddress own = ctx.channel().localAddress();
            if (own != null && addresses.add(own)) {
                ctx.channel().closeFuture().addListener(closed -> addresses.remove(own));
            }
        }
    }
}
