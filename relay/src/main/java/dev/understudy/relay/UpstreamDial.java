package dev.understudy.relay;

import dev.understudy.relay.connect.Dial;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.connect.Targets;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.starttls.StartTls;
import dev.understudy.relay.tls.ClientTls;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to an upstream that no client's bytes pass: they stand beside those that are relayed. For any
 * thread.
 */
public final class UpstreamDial implements AutoCloseable {
    private final ProductionConfig upstream;
    private final EventLoops loops;
    private final Targets targets;
    private final @Nullable ClientTls tls;
    private final Runnable stopWatching;

    /**
     * Opens none yet.
     *
     * @param upstream where it is, at addresses of its own; with TLS from the first byte on if TLS is set
     * @throws IOException if the files of its TLS can't be read
     */
    public UpstreamDial(ProductionConfig upstream, EventLoops loops) throws IOException {
        this.upstream = upstream;
        this.loops = loops;
        this.targets = new Targets(upstream, loops.names(), System::nanoTime);
        this.tls = upstream.tls() == null ? null : new ClientTls("live-tls", upstream.tls(), loops.laneHandshakes());
        this.stopWatching = new TlsSides(null, tls).keepFresh(loops.control().next());
    }

    /**
     * Opens one, of which nothing is read by itself.
     *
     * @param loop its event loop, where the outcome is reported, once
     * @param first makes the handler of what the upstream sends, for each address that is tried
     */
    public void open(EventLoop loop, Supplier<ChannelHandler> first, Dial.Outcome outcome) {
        ProductionCaller caller =
                new ProductionCaller(loops, loop, tls, StartTls.FIRST_BYTE, null, new byte[0], false, first);
        Dial.start(targets, loop, caller, upstream.connectTimeout(), outcome);
    }

    /** Opens none any more; those that are open go on. */
    @Override
    public void close() {
        stopWatching.run();
    }
}
