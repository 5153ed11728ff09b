package dev.understudy.sidecar;

import dev.understudy.relay.RelayMeters;
import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.LaneRings;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.order.Ordering;
import dev.understudy.sidecar.tap.TapProcess;
import dev.understudy.sidecar.verdict.TapGaps;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running lane process: the debug side behind the rings of a tap process.
 *
 * <p>It asks for a listener's bytes as long as a tee or a recording of it is on.
 */
public final class LaneProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LaneProcess.class);

    private final SidecarConfig config;
    private final ControlBlock control;
    private final LaneSide lanes;
    private final LaneRings rings;
    private final @Nullable TapFactory[] taps;
    private final boolean[] wanted;
    private final int restarts;
    private final long[] bytesBefore;

    private LaneProcess(SidecarConfig config, Path directory) throws IOException {
        this.config = config;
        this.control = ControlBlock.open(directory.resolve(TapProcess.CONTROL));
        int listeners = config.listeners().size();
        if (control.listeners() != listeners) {
            throw changed(listeners + " listeners (expected: " + control.listeners());
        }
        for (int number = 0; number < listeners; number++) {
            String identity = TapProcess.identity(config.listeners().get(number));
            if (!control.isOf(number, identity)) {
                throw changed("listener " + identity + " (expected: another one in its place");
            }
        }
        this.restarts = control.lives();
        this.bytesBefore = new long[listeners];
        for (int number = 0; number < listeners; number++) {
            bytesBefore[number] = new PublishedRelay(control, number).bytes(Direction.REQUEST);
        }
        if (restarts > 0) {
            LOG.warn(
                    "the lane process was started again, {} times up to now: what the last one had was lost", restarts);
        }
        this.taps = new TapFactory[listeners];
        this.wanted = new boolean[listeners];
        EventLoops loops = EventLoops.open(config.transport());
        try {
            this.rings = LaneRings.open(directory, this::tapsOf, this::unknown, this::want, loops.allocator());
            LongSupplier handedOver = Ordering.handedOver(rings::handedOver, rings.count());
            this.lanes = LaneSide.create(config, loops, handedOver, this::want);
        } catch (IOException | RuntimeException failed) {
            loops.close();
            throw failed;
        }
    }

    private static IOException changed(String found) {
        return new IOException("the settings were changed since the sidecar was started: " + found
                + ", as the tap process has); start the sidecar again, or take the change back");
    }

    /**
     * Opens the control port and begins to read the rings.
     *
     * @param directory where the tap process has them
     * @throws IOException if they aren't there, or the control port can't be had; the message says which
     */
    public static LaneProcess start(SidecarConfig config, Path directory) throws IOException {
        LaneProcess process = new LaneProcess(config, directory);
        try {
            process.lanes.open(process.new Rings());
        } catch (IOException | RuntimeException failed) {
            process.lanes.close();
            throw failed;
        }
        process.control.addLife();
        TapMeters.register(process.lanes.registry(), process.rings);
        TapMeters.register(process.lanes.registry(), process.control);
        process.wantAnew();
        process.rings.start();
        return process;
    }

    private int number(ListenerConfig listener) {
        return config.listeners().indexOf(listener);
    }

    private RelayStatus open(ListenerConfig listener, TapFactory factory) {
        int number = number(listener);
        taps[number] = factory;
        PublishedRelay relay = new PublishedRelay(control, number);
        RelayMeters.register(
                lanes.registry(),
                listener.name(),
                relay,
                listener.production().addresses().stream().map(Address::spelled).toList());
        TapMeters.register(lanes.registry(), listener.name(), relay);
        return relay;
    }

    private @Nullable TapFactory tapsOf(int number) {
        return number < taps.length ? taps[number] : null;
    }

    private void unknown(int number, long bytes) {
        if (number < taps.length) {
            new PublishedRelay(control, number).addUnknown(bytes);
        }
    }

    /** Also what the last lane process had asked for is asked for anew: this one knows none of its connections. */
    private synchronized void wantAnew() {
        for (int number = 0; number < taps.length; number++) {
            control.stop(number);
            wanted[number] = false;
        }
        want();
    }

    /** Asks for what is wanted now; at each turn of a switch, and by the thread that reads. */
    private synchronized void want() {
        for (int number = 0; number < taps.length; number++) {
            TapFactory factory = taps[number];
            boolean now = factory != null && isOn(factory);
            if (now != wanted[number]) {
                wanted[number] = now;
                if (now) {
                    control.want(number);
                } else {
                    control.stop(number);
                }
            }
        }
    }

    private static boolean isOn(TapFactory factory) {
        TapFactory beside = factory.beside();
        return factory.epoch() != TapFactory.OFF || (beside != null && beside.epoch() != TapFactory.OFF);
    }

    /** The control port's address. */
    public InetSocketAddress controlAddress() {
        return lanes.controlAddress();
    }

    /** How faithful each listener's debug copy is, by name. */
    public Map<String, String> fidelity() {
        return lanes.fidelity();
    }

    /** Reads what the rings still hold, lets lanes end for the configured patience, and stops everything. */
    @Override
    public void close() {
        close(config.drain());
    }

    /** The same, with another patience. */
    public void close(Duration patience) {
        rings.close();
        lanes.close(patience);
    }

    /** Ends the patience of a {@link #close} that is going on. */
    public void hurry() {
        lanes.hurry();
    }

    /** The tap process's listeners. */
    private final class Rings implements Relays {
        @Override
        public RelayStatus open(ListenerConfig listener, TapFactory factory) {
            return LaneProcess.this.open(listener, factory);
        }

        @Override
        public TapGaps gaps(ListenerConfig listener) {
            int number = number(listener);
            PublishedRelay relay = new PublishedRelay(control, number);
            return new TapGaps(
                    restarts,
                    relay.unknownBytes(),
                    relay.lostBytes(Direction.REQUEST) + relay.lostBytes(Direction.REPLY),
                    relay.lostConnections(),
                    bytesBefore[number]);
        }

        @Override
        public String kept(ListenerConfig listener) {
            return control.kept(number(listener));
        }

        @Override
        public synchronized boolean keep(ListenerConfig listener, String text) {
            return control.keep(number(listener), text);
        }
    }
}
