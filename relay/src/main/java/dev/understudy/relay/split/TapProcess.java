package dev.understudy.relay.split;

import dev.understudy.relay.Listener;
import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.ring.RelayRings;
import dev.understudy.relay.ring.RingLosses;
import dev.understudy.relay.stream.ProcessDirectory;
import dev.understudy.relay.tap.TapCarrier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running tap process: listeners, the rings that they append to, and what is published of them. */
public final class TapProcess implements AutoCloseable {
    /** The file of the control block, beside the rings. */
    public static final String CONTROL = "control";

    /** Begins the names of the directories in which tap processes have their rings. */
    public static final String PREFIX = "understudy-tap-";

    private static final Logger LOG = LoggerFactory.getLogger(TapProcess.class);
    private static final Duration PACE = Duration.ofMillis(100);
    private static final Duration USAGE_PACE = Duration.ofSeconds(5);

    private final TapConfig config;
    private final List<TapListener> all;
    private final EventLoops loops;
    private final ProcessDirectory directory;
    private final ControlBlock control;
    private final RelayRings rings;
    private final Map<String, Listener> listeners = new LinkedHashMap<>();
    private final List<RingLosses> losses = new ArrayList<>();
    private @Nullable ScheduledFuture<?> publishing;
    private @Nullable ScheduledFuture<?> measuring;
    private @Nullable HealthPort health;

    private TapProcess(
            TapConfig config,
            List<TapListener> all,
            EventLoops loops,
            ProcessDirectory directory,
            ControlBlock control,
            RelayRings rings) {
        this.config = config;
        this.all = List.copyOf(all);
        this.loops = loops;
        this.directory = directory;
        this.control = control;
        this.rings = rings;
        all.forEach(listener -> losses.add(new RingLosses()));
    }

    /**
     * Makes the rings and opens all listeners; nothing stays open if one of them can't be had.
     *
     * @param listeners in the order in which the child numbers them
     * @param loops closed with the tap process, or if it can't be had
     * @throws IOException if an address can't be listened on, or there is no room for the rings; the message says which
     */
    public static TapProcess start(TapConfig config, List<TapListener> listeners, EventLoops loops) throws IOException {
        ProcessDirectory directory = null;
        try {
            directory = directory(config.directory());
            List<String> identities =
                    listeners.stream().map(TapListener::identity).toList();
            ControlBlock control = ControlBlock.create(directory.path().resolve(CONTROL), identities);
            RelayRings rings = rings(config, loops, directory, control);
            TapProcess tap = new TapProcess(config, listeners, loops, directory, control, rings);
            tap.open();
            return tap;
        } catch (IOException | RuntimeException failed) {
            loops.close();
            if (directory != null) {
                directory.close();
            }
            throw failed;
        }
    }

    private static ProcessDirectory directory(String parent) throws IOException {
        try {
            return ProcessDirectory.open(Path.of(parent), PREFIX);
        } catch (IOException unusable) {
            throw new IOException(
                    "tap.directory " + parent + ": can't be written (" + unusable + "); set another, best on a file"
                            + " system in memory, or set tap.carrier: inline",
                    unusable);
        }
    }

    private static RelayRings rings(TapConfig tap, EventLoops loops, ProcessDirectory directory, ControlBlock control)
            throws IOException {
        long room = Files.getFileStore(directory.path()).getUsableSpace();
        int bytes = RelayRings.fitting((int) tap.ring(), loops.relay(), room);
        if (bytes < tap.ring()) {
            LOG.warn(
                    "tap.ring: rings of {} KiB instead of {}, since {} has room for {} KiB; a container gets more with"
                            + " --shm-size",
                    bytes >> 10,
                    tap.ring() >> 10,
                    tap.directory(),
                    room >> 10);
        }
        try {
            return RelayRings.create(directory.path(), loops.relay(), bytes, control);
        } catch (IOException noRoom) {
            throw new IOException(
                    "tap.directory " + tap.directory() + ": no room for a ring of " + bytes
                            + " bytes for each relay loop (" + noRoom.getMessage()
                            + "); give the container more with --shm-size, or set tap.carrier: inline",
                    noRoom);
        }
    }

    private void open() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        for (int number = 0; number < all.size(); number++) {
            if (all.get(number).isWanted()) {
                control.want(number);
            }
        }
        for (boolean isBehind : new boolean[] {false, true}) {
            for (int number = 0; number < all.size(); number++) {
                TapListener listener = all.get(number);
                if (listener.isBehind() == isBehind) {
                    TapCarrier carrier = rings.carrier(number, losses.get(number));
                    listeners.put(listener.name(), listener.opening().open(carrier, listeners, loops, registry));
                }
            }
        }
        InetSocketAddress asked = config.health();
        if (asked != null) {
            health = HealthPort.open(loops, asked);
        }
        publish();
        publishing =
                PeriodicTask.start(loops.control().next(), "publishing what is relayed", PACE, PACE, this::publish);
        measure();
        measuring = PeriodicTask.start(
                loops.control().next(), "measuring the process", USAGE_PACE, USAGE_PACE, this::measure);
    }

    private void measure() {
        control.usage(TapUsage.residentBytes(), TapUsage.descriptors());
    }

    private void publish() {
        for (int number = 0; number < all.size(); number++) {
            Listener listener = listeners.get(all.get(number).name());
            if (listener != null) {
                PublishedRelay.publish(control, number, listener, losses.get(number));
            }
        }
    }

    /** Where the rings and the control block are, for the child. */
    public Path directory() {
        return directory.path();
    }

    /** The address each listener really listens on, by name, in the order of the settings. */
    public Map<String, InetSocketAddress> addresses() {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (TapListener listener : all) {
            Listener opened = listeners.get(listener.name());
            if (opened != null) {
                addresses.put(listener.name(), opened.address());
            }
        }
        return addresses;
    }

    /** Where load balancers ask; null if nowhere. */
    @Nullable
    InetSocketAddress healthAddress() {
        return health == null ? null : health.address();
    }

    /** Accepts no more, and waits for connections to end for {@code patience}; rings and control block stay. */
    void drain(Duration patience) {
        if (health != null) {
            health.draining();
        }
        drainAll(listeners.values(), patience);
        publish();
    }

    /** Ends the patience of a {@link #drain} that is going on. */
    void hurry() {
        listeners.values().forEach(Listener::hurry);
    }

    /** Has all of them accept no more, and waits for their connections to end, each for {@code patience} at most. */
    public static void drainAll(Collection<Listener> listeners, Duration patience) {
        Executor threads = work -> new Thread(work, "understudy-drain").start();
        CompletableFuture<?>[] drains = listeners.stream()
                .map(listener -> CompletableFuture.runAsync(() -> listener.drain(patience), threads))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(drains).join();
    }

    /** Stops everything; connections that are still open are reset. */
    @Override
    public void close() {
        drainAll(listeners.values(), Duration.ZERO);
        if (publishing != null) {
            publishing.cancel(false);
        }
        if (measuring != null) {
            measuring.cancel(false);
        }
        if (health != null) {
            health.close();
        }
        loops.close();
        directory.close();
    }
}
