package dev.understudy.relay;

import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.tls.ClientTls;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.ServerTls;
import dev.understudy.relay.tls.TerminateConfig;
import dev.understudy.relay.tls.TlsSide;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of a listener, kept up to date with its files.
 *
 * @param client null if clients speak plain text
 * @param production null if production does
 */
record TlsSides(@Nullable TlsSide client, @Nullable ClientTls production) {
    private static final Duration PACE = Duration.ofSeconds(2);

    /** @throws IOException if what is set can't be read */
    static TlsSides of(RelayConfig config, EventLoops loops) throws IOException {
        TerminateConfig client = config.accept().tls();
        OriginateConfig production = config.production().tls();
        return new TlsSides(
                client == null ? null : new ServerTls(client, loops.handshakes()),
                production == null ? null : new ClientTls("production-tls", production, loops.handshakes()));
    }

    /** Looks at the files from time to time on {@code loop}, where nobody's bytes wait; the result ends that. */
    Runnable keepFresh(EventLoop loop) {
        if (client == null && production == null) {
            return () -> {};
        }
        ScheduledFuture<?> looks = PeriodicTask.start(loop, "looking for new certificates", PACE, PACE, this::refresh);
        return () -> looks.cancel(false);
    }

    private void refresh() {
        if (client != null) {
            client.refresh();
        }
        if (production != null) {
            production.refresh();
        }
    }
}
