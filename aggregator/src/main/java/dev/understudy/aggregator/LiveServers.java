package dev.understudy.aggregator;

import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.aggregator.live.AskedServers;
import dev.understudy.aggregator.live.LiveReads;
import dev.understudy.relay.loop.EventLoops;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The running servers that may answer misses of one upstream. This is the only way from the debug side to any server,
 * and only where the settings open it. For any thread.
 */
final class LiveServers implements AutoCloseable {
    private final @Nullable LiveUpstream real;
    private final @Nullable LiveUpstream standin;

    private LiveServers(@Nullable LiveUpstream real, @Nullable LiveUpstream standin) {
        this.real = real;
        this.standin = standin;
    }

    /**
     * Opens no connection yet.
     *
     * @param barred where a stand-in can't be
     * @throws IOException if what is needed to reach one of them can't be read; none is open then
     */
    static LiveServers open(UpstreamConfig config, RealAddresses barred, EventLoops loops) throws IOException {
        LiveUpstream real = config.policy().isLive()
                ? new LiveUpstream(LiveTarget.real(config.name(), config.upstream()), loops, System::nanoTime)
                : null;
        try {
            return new LiveServers(
                    real,
                    config.standin() == null
                            ? null
                            : StandinServer.open(config.name(), config.standin(), barred, loops));
        } catch (IOException e) {
            close(real);
            throw e;
        }
    }

    /** As the debug side may ask them. */
    AskedServers asked() {
        return new AskedServers(asked(real), asked(standin));
    }

    private static LiveReads asked(@Nullable LiveUpstream server) {
        return server == null ? LiveReads.NONE : server;
    }

    @Override
    public void close() {
        close(real);
        close(standin);
    }

    private static void close(@Nullable LiveUpstream server) {
        if (server != null) {
            server.close();
        }
    }
}
