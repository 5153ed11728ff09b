package dev.understudy.relay.control;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;

/** The stages of one connection to the control port. */
final class ControlInitializer extends ChannelInitializer<Channel> {
    /** Enough for a batch of OTLP spans; a larger body gets 413. */
    private static final int MAX_BODY_BYTES = 4 << 20;

    private final Gatekeeper gatekeeper;
    private final Routes routes;

    ControlInitializer(Gatekeeper gatekeeper, Routes routes) {
        this.gatekeeper = gatekeeper;
        this.routes = routes;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(),
                        new HttpObjectAggregator(MAX_BODY_BYTES),
                        new ControlHandler(gatekeeper, routes));
    }
}
