package dev.understudy.standin.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Has the generator's code loaded and compiled before the first request is due: else a cold JVM would be measured, not
 * the target. Nothing is sent to anybody. Runs on the caller's thread, for 0.3 s at most.
 */
final class LoadWarmUp {
    private static final int MOST_ROUNDS = 2_000;
    private static final long MOST_NANOS = 300_000_000;
    private static final byte[] REPLY =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    private final LoadPlan plan;
    private final RequestBacklog backlog;
    private final LoadMeter meter;
    private final LoadConnections connections;
    private final SplittableRandom random = new SplittableRandom(1);
    private final RouteMix mix;

    private LoadWarmUp(LoadPlan plan, InetSocketAddress address, EventLoop loop) {
        this.plan = plan;
        this.backlog = new RequestBacklog(1, plan.makers().size());
        this.meter = new LoadMeter(plan.makers().size());
        this.connections = new LoadConnections(plan, address, loop, backlog, meter, random);
        this.mix = new RouteMix(plan.model().routes(), random);
    }

    static void run(LoadPlan plan, InetSocketAddress address, EventLoop loop) {
        LoadWarmUp all = new LoadWarmUp(plan, address, loop);
        long start = System.nanoTime();
        for (int n = 0; n < MOST_ROUNDS && System.nanoTime() - start < MOST_NANOS; n++) {
            all.round();
        }
    }

    /** One request, and a reply to it, on a connection that leads nowhere. */
    private void round() {
        int route = mix.next();
        RequestDraft draft = plan.makers().get(route).make(random);
        backlog.add(new DueRequest(route, System.nanoTime(), draft));
        backlog.admit(meter);
        EmbeddedChannel nowhere = new EmbeddedChannel(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                LoadConnection.addTo(channel.pipeline(), connections, meter, plan.options());
            }
        });
        for (ByteBuf sent = nowhere.readOutbound(); sent != null; sent = nowhere.readOutbound()) {
            sent.release();
        }
        nowhere.writeInbound(Unpooled.wrappedBuffer(REPLY));
        nowhere.finishAndReleaseAll();
    }
}
