package dev.understudy.sidecar;

import dev.understudy.relay.Listener;
import dev.understudy.relay.RelayConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.split.TapListener;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.sidecar.config.Behind;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Opens listeners as the settings say. */
public final class Listeners {
    private Listeners() {}

    /**
     * Opens one.
     *
     * @param before those that are open already, by name: among them the one it is behind, if it is
     * @throws IOException if its address can't be listened on; the message names it
     */
    static Listener open(
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

    /** What a tap process is to open. */
    public static List<TapListener> all(SidecarConfig config) {
        return config.listeners().stream()
                .map(listener -> new TapListener(
                        listener.name(),
                        identity(listener),
                        listener.behind() != null,
                        false,
                        (carrier, before, loops, registry) -> open(listener, carrier, before, loops, registry)))
                .toList();
    }

    private static String identity(ListenerConfig listener) {
        return listener.name() + " on " + listener.listen().getHostString() + ":"
                + listener.listen().getPort();
    }
}
