package dev.understudy.sidecar.tap;

import dev.understudy.relay.Listener;
import dev.understudy.relay.RelayConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.sidecar.config.Behind;
import dev.understudy.sidecar.config.ListenerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Opens listeners as the settings say, and drains them together. */
public final class Listeners {
    private Listeners() {}

    /**
     * Opens one.
     *
     * @param before those that are open already, by name: among them the one it is behind, if it is
     * @throws IOException if its address can't be listened on; the message names it
     */
    public static Listener open(
            ListenerConfig listener,
            TapCarrier carrier,
            Map<String, Listener> before,
            EventLoops loops,
            MeterRegistry registry)
            throws IOException {
        RelayConfig relay =
                new RelayConfig(listener.name(), listener.listen(), listener.production(), listener.accept());
        Behind behind = listener.behind();
        if (behind == null) {
            return Listener.open(relay, carrier, loops, registry);
        }
        Listener front = Objects.requireNonNull(before.get(behind.listener()));
        return Listener.behind(front, behind.serverNames(), relay, carrier, loops, registry);
    }

    /** Has all of them accept no more, and waits for their connections to end, each for {@code patience} at most. */
    public static void drain(Collection<Listener> listeners, Duration patience) {
        Executor threads = work -> new Thread(work, "understudy-drain").start();
        CompletableFuture<?>[] drains = listeners.stream()
                .map(listener -> CompletableFuture.runAsync(() -> listener.drain(patience), threads))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(drains).join();
    }
}
