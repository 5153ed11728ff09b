package dev.understudy.sidecar;

import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.split.TapListener;
import dev.understudy.relay.split.TapSource;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.order.Ordering;
import dev.understudy.sidecar.verdict.TapGaps;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** The running lane process: the debug side behind the rings of a tap process. */
public final class LaneProcess implements AutoCloseable {
    /** What it is called in messages. */
    public static final String NAME = "lane process";

    private final SidecarConfig config;
    private final LaneSide lanes;
    private final TapSource source;

    private LaneProcess(SidecarConfig config, Path directory) throws IOException {
        this.config = config;
        EventLoops loops = EventLoops.open(config.transport());
        try {
            List<String> identities =
                    Listeners.all(config).stream().map(TapListener::identity).toList();
            this.source = TapSource.open(directory, identities, loops.allocator(), NAME);
            LongSupplier handedOver = Ordering.handedOver(source::handedOver, source.rings());
            this.lanes = LaneSide.create(config, loops, handedOver, source::want);
        } catch (IOException | RuntimeException failed) {
            loops.close();
            throw failed;
        }
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
        process.source.start(process.lanes.registry());
        return process;
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
        source.close();
        lanes.close(patience);
    }

    /** Ends the patience of a {@link #close} that is going on. */
    public void hurry() {
        lanes.hurry();
    }

    /** The tap process's listeners. */
    private final class Rings implements Relays {
        private int number(ListenerConfig listener) {
            return config.listeners().indexOf(listener);
        }

        @Override
        public RelayStatus open(ListenerConfig listener, TapFactory factory) {
            List<String> production = listener.production().addresses().stream()
                    .map(Address::spelled)
                    .toList();
            return source.listen(number(listener), listener.name(), factory, lanes.registry(), production);
        }

        @Override
        public TapGaps gaps(ListenerConfig listener) {
            int number = number(listener);
            PublishedRelay relay = source.relay(number);
            return new TapGaps(
                    source.restarts(),
                    relay.unknownBytes(),
                    relay.lostBytes(Direction.REQUEST) + relay.lostBytes(Direction.REPLY),
                    relay.lostConnections(),
                    source.requestBytesBefore(number));
        }

        @Override
        public String kept(ListenerConfig listener) {
            return source.kept(number(listener));
        }

        @Override
        public boolean keep(ListenerConfig listener, String text) {
            return source.keep(number(listener), text);
        }
    }
}
