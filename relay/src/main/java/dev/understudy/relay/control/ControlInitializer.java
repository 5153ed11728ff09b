package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import dev.understudy.relay.tls.TlsSide;
import dev.understudy.relay.tls.TlsWrites;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The stages of one connection to the control port; one for which there is no room is closed. */
final class ControlInitializer extends ChannelInitializer<Channel> {
    private final Gatekeeper gatekeeper;
    private final Routes routes;
    private final ControlResources resources;
    private final @Nullable TlsSide tls;

    /** @param tls null if callers speak plain text */
    ControlInitializer(Gatekeeper gatekeeper, Routes routes, ControlResources resources, @Nullable TlsSide tls) {
        this.gatekeeper = gatekeeper;
        this.routes = routes;
        this.resources = resources;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        if (!resources.connections().register(channel)) {
            channel.close();
            return;
        }
        if (tls != null) {
            SslHandler handshake = tls.handler(channel.alloc());
            handshake.setHandshakeTimeoutMillis(resources.limits().handshake().toMillis());
            channel.pipeline().addLast(handshake, new HandshakeHandler(resources.counts()));
        }
        ReadBuffer reads = new ReadBuffer();
        HttpRequestDecoder decoder = new HttpRequestDecoder();
        decoder.setSingleDecode(true);
        channel.pipeline()
                .addLast(
                        new StalledWriteHandler(resources),
                        reads,
                        decoder,
                        new HttpResponseEncoder(),
                        new ControlHandler(gatekeeper, routes, resources, reads, decoder));
    }

    /** Closes the connection of a caller that doesn't take what was written, be it a reply or an event. */
    private static final class StalledWriteHandler extends WriteTimeoutHandler {
        private final ControlCounts counts;

        StalledWriteHandler(ControlResources resources) {
            super(resources.limits().replyStall().toMillis(), TimeUnit.MILLISECONDS);
            this.counts = resources.counts();
        }

        @Override
        protected void writeTimedOut(ChannelHandlerContext ctx) {
            if (ctx.channel().isActive()) {
                counts.count(Reason.REPLY, ctx.channel().remoteAddress());
                TlsWrites.drop(ctx.channel());
            }
        }
    }
}
