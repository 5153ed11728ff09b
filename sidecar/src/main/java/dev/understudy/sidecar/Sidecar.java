package dev.understudy.sidecar;

import dev.understudy.relay.Listener;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.split.TapProcess;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.order.Ordering;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The running duplicator in one process: listeners, and the debug side behind them. */
public final class Sidecar implements AutoCloseable {
    private final SidecarConfig config;
    private final EventLoops loops;
    private final LaneSide lanes;
    private final Map<String, Listener> listeners = new LinkedHashMap<>();

    private Sidecar(SidecarConfig config, EventLoops loops, LaneSide lanes) {
        this.config = config;
        this.loops = loops;
        this.lanes = lanes;
    }

    /**
     * Opens all listeners and the control port; nothing stays open if one of them can't be had.
     *
     * @throws IOException if an address can't be listened on; the message names it
     */
    public static Sidecar start(SidecarConfig config) throws IOException {
        EventLoops loops = EventLoops.open(config.transport());
        LaneSide lanes;
        try {
            long relays =
                    StreamSupport.stream(loops.relay().spliterator(), false).count();
            lanes = LaneSide.create(config, loops, Ordering.handedOver(System::nanoTime, relays), () -> {});
        } catch (IOException | RuntimeException failed) {
            loops.close();
            throw failed;
        }
        Sidecar sidecar = new Sidecar(config, loops, lanes);
        try {
            lanes.open(sidecar::open);
        } catch (IOException | RuntimeException failed) {
            sidecar.close(Duration.ZERO);
            throw failed;
        }
        return sidecar;
    }

    private Listener open(ListenerConfig listener, TapFactory taps) throws IOException {
        Listener opened = Listeners.open(listener, TapCarrier.inline(taps), listeners, loops, lanes.registry());
        listeners.put(listener.name(), opened);
        return opened;
    }

    /** The address each listener really listens on, by name. */
    public Map<String, InetSocketAddress> addresses() {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        listeners.forEach((name, listener) -> addresses.put(name, listener.address()));
        return addresses;
    }

    /** The control port's address. */
    public InetSocketAddress controlAddress() {
        return lanes.controlAddress();
    }

    /** What the control port answers: the methods of each path. */
    Map<String, Set<String>> answered() {
        return lanes.answered();
    }

    /** How faithful each listener's debug copy is, by name. */
    public Map<String, String> fidelity() {
        return lanes.fidelity();
    }

    /** Closes with the configured patience. */
    @Override
    public void close() {
        close(config.drain());
    }

    /** Accepts no more, lets connections and then lanes end for {@code patience} each, and stops everything. */
    public void close(Duration patience) {
        TapProcess.drainAll(listeners.values(), patience);
        lanes.close(patience);
    }

    /**
     * Ends the patience of a {@link #close()} that is going on: what is still open is reset, what isn't delivered lost.
     */
    public void hurry() {
        lanes.hurry();
        listeners.values().forEach(Listener::hurry);
    }
}
