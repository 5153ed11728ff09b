package dev.understudy.sidecar;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.Listener;
import dev.understudy.relay.RelayConfig;
import dev.understudy.relay.control.Metrics;
import dev.understudy.relay.lane.JvmMemory;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.Behind;
import dev.understudy.sidecar.config.DebugTarget;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.config.WindowConfig;
import dev.understudy.sidecar.control.Meters;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.flame.Endings;
import dev.understudy.sidecar.inbound.AggregatorLink;
import dev.understudy.sidecar.inbound.InboundSink;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.record.RecordingSwitch;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.suspect.Suspects;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.tee.TeeMode;
import dev.understudy.sidecar.tee.TeeSwitch;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.verdict.OutgoingStore;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The running duplicator: listeners, the lanes behind them, and the control port, put together from a configuration. */
public final class Sidecar implements AutoCloseable {
    private final SidecarConfig config;
    private final EventLoops loops;
    private final @Nullable Spill spill;
    private final Recordings recordings;
    private final Metrics metrics;
    private final Meters meters;
    private final @Nullable Tracing tracing;
    private final @Nullable AggregatorLink link;

    /** Of the debug JVM that the aggregator answers, by its name; empty if there is no aggregator. */
    private final Map<String, OutgoingStore> outgoing;

    private final Suspects suspects;
    private final Endings endings = new Endings(System::nanoTime);
    private final Map<String, DebugJvm> jvms = new LinkedHashMap<>();
    private final List<Watched> listeners = new ArrayList<>();
    private final OpenLanes lanes;
    private final Ticker ticker;
    private final Resync resync;
    private @Nullable ControlPort control;
    private volatile boolean hurried;

    private Sidecar(SidecarConfig config, EventLoops loops, @Nullable Spill spill, Recordings recordings) {
        this.config = config;
        this.recordings = recordings;
        this.loops = loops;
        this.spill = spill;
        TelemetryConfig telemetry = config.telemetry();
        metrics = Metrics.open(telemetry.service(), telemetry.otlp());
        meters = new Meters(metrics.registry());
        tracing = telemetry.traces() && !telemetry.otlp().isEmpty()
                ? Tracing.open(telemetry.service(), telemetry.otlp())
                : null;
        lanes = new OpenLanes(config, loops, spill, jvms, metrics.registry(), meters);
        AtomicLong exchangeIds = new AtomicLong();
        suspects = new Suspects(config.suspects(), new Random());
        List<String> names = names(config);
        String linked =
                config.link().debug().isEmpty() ? names.get(0) : config.link().debug();
        OutgoingStore calls = new OutgoingStore();
        link = config.link().url().isEmpty()
                ? null
                : new AggregatorLink(config.link(), () -> lanes.waited(linked), calls::add);
        outgoing = link == null ? Map.of() : Map.of(linked, calls);
        Masking masking = new Masking(config.redact());
        for (String name : names) {
            jvms.put(
                    name,
                    new DebugJvm(
                            name,
                            loops,
                            config.window().memory() / names.size(),
                            config.window().orderWait(),
                            config.noise(),
                            config.learnNoise(),
                            config.protobuf(),
                            masking,
                            exchangeIds,
                            tracing,
                            link != null && name.equals(linked) ? link : InboundSink.NONE,
                            endings,
                            suspects::ended));
        }
        DebugJvm first = jvms.getOrDefault(config.resync().debug(), Objects.requireNonNull(jvms.get(names.get(0))));
        resync = new Resync(
                config.resync(),
                first.name.equals(linked) ? config.link() : LinkConfig.none(),
                masking,
                new DebugInput(first, listeners, this::turned),
                System.nanoTime(),
                System.currentTimeMillis());
        ticker = new Ticker(jvms.values(), spill, listeners, loops.debugSockets());
    }

    /** The debug JVMs that the listeners name; one without input if they name none. */
    private static List<String> names(SidecarConfig config) {
        List<String> names = config.listeners().stream()
                .flatMap(listener -> listener.debug().stream())
                .map(DebugTarget::name)
                .distinct()
                .toList();
        return names.isEmpty() ? List.of("debug") : names;
    }

    /**
     * Opens all listeners and the control port; nothing stays open if one of them can't be had.
     *
     * @throws IOException if an address can't be listened on; the message names it
     */
    public static Sidecar start(SidecarConfig config) throws IOException {
        Recordings recordings = Recordings.open(config.record());
        EventLoops loops = EventLoops.open(config.transport());
        Sidecar sidecar =
                new Sidecar(Headroom.fit(config, JvmMemory.read()), loops, spill(config.window(), loops), recordings);
        try {
            sidecar.open();
        } catch (IOException | RuntimeException failed) {
            sidecar.close(Duration.ZERO);
            throw failed;
        }
        return sidecar;
    }

    private static @Nullable Spill spill(WindowConfig window, EventLoops loops) throws IOException {
        if (window.diskDirectory().isEmpty()) {
            return null;
        }
        try {
            return Spill.open(Path.of(window.diskDirectory()), loops.allocator(), window.disk());
        } catch (IOException | RuntimeException notToBeHad) {
            loops.close();
            throw new IOException(
                    "window.disk-directory: " + window.diskDirectory() + " can't be used: " + notToBeHad, notToBeHad);
        }
    }

    /** The address each listener really listens on, by name. */
    public Map<String, InetSocketAddress> addresses() {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        listeners.forEach(
                watched -> addresses.put(watched.name(), watched.listener().address()));
        return addresses;
    }

    /** The control port's address. */
    public InetSocketAddress controlAddress() {
        return port().address();
    }

    /** What the control port answers: the methods of each path. */
    Map<String, Set<String>> answered() {
        return port().answered();
    }

    private ControlPort port() {
        if (control == null) {
            throw new IllegalStateException("the control port isn't open");
        }
        return control;
    }

    /** How faithful each listener's debug copy is, by name. */
    public Map<String, String> fidelity() {
        Map<String, String> statements = new LinkedHashMap<>();
        for (Watched watched : listeners) {
            for (DebugLanes lanes : watched.lanes()) {
                String name = watched.lanes().size() == 1 ? watched.name() : watched.name() + ", " + lanes.debug();
                statements.put(name, lanes.tally().fidelity().statement());
            }
        }
        return statements;
    }

    /** Closes with the configured patience. */
    @Override
    public void close() {
        close(config.drain());
    }

    /** Accepts no more, lets connections and then lanes end for {@code patience} each, and stops everything. */
    public void close(Duration patience) {
        drain(patience);
        ticker.awaitIdleLanes(patience, () -> hurried);
        listeners.forEach(watched -> watched.lanes().forEach(DebugLanes::shutDown));
        if (control != null) {
            control.close();
        }
        resync.close();
        recordings.close();
        loops.close();
        if (spill != null) {
            spill.close();
        }
        ticker.close();
        if (link != null) {
            link.close();
        }
        if (tracing != null) {
            tracing.close();
        }
        metrics.close();
    }

    /** Ends the patience of a {@link #close()} that is going on: what is still open is reset, what isn't delivered lost. */
    public void hurry() {
        hurried = true;
        listeners.forEach(watched -> watched.listener().hurry());
    }

    private void drain(Duration patience) {
        Executor threads = work -> new Thread(work, "understudy-drain").start();
        CompletableFuture<?>[] drains = listeners.stream()
                .map(watched ->
                        CompletableFuture.runAsync(() -> watched.listener().drain(patience), threads))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(drains).join();
    }

    private void open() throws IOException {
        for (boolean behind : new boolean[] {false, true}) {
            for (ListenerConfig listener : config.listeners()) {
                if ((listener.behind() != null) == behind) {
                    listeners.add(open(listener));
                }
            }
        }
        jvms.values().forEach(jvm -> meters.add(lanes.tags(Tags.empty(), jvm), jvm.window, jvm.causal));
        jvms.values().forEach(jvm -> meters.add(lanes.tags(Tags.empty(), jvm), jvm.noise));
        meters.add(spill);
        meters.add(loops.transport());
        meters.add(link);
        outgoing.forEach((debug, calls) -> meters.add(Tags.of("debug", debug), calls));
        turned();
        ControlPort port = new ControlPort(
                config,
                loops.transport(),
                listeners,
                jvms.values(),
                outgoing,
                suspects,
                endings,
                spill,
                resync,
                this::reported,
                metrics);
        control = port;
        meters.add(tracing, port.forward());
        meters.add(port.events());
        meters.add(resync);
        port.open(config.control(), this::turned);
        ticker.start(() -> {
            resync.look(System.nanoTime(), System.currentTimeMillis());
            port.look();
        });
    }

    private Watched open(ListenerConfig listener) throws IOException {
        RelayConfig relay =
                new RelayConfig(listener.name(), listener.listen(), listener.production(), listener.accept());
        TeeSwitch teeSwitch =
                new TeeSwitch(listener.tee().mode(), listener.tee().sampling(), System.nanoTime());
        List<DebugLanes> own = new ArrayList<>();
        for (DebugTarget target : listener.debug()) {
            own.add(lanes.open(listener, target, teeSwitch));
        }
        Tee tee = own.isEmpty() ? null : new Tee(teeSwitch, own);
        boolean framed = listener.protocol() == ListenerConfig.Framing.HTTP;
        RecordingSwitch recording = recordings.of(listener.name(), framed, listener.recorded());
        meters.add(Tags.of("listener", listener.name()), recording);
        TapFactory taps = Recordings.beside(tee == null ? TapFactory.NONE : tee, recording);
        Behind behind = listener.behind();
        Listener opened = behind == null
                ? Listener.open(relay, taps, loops, metrics.registry())
                : Listener.behind(
                        inFrontOf(behind),
                        behind.serverNames(),
                        relay,
                        TapCarrier.inline(taps),
                        loops,
                        metrics.registry());
        return new Watched(listener.name(), listener.protocol(), opened, tee, recording, own);
    }

    private Listener inFrontOf(Behind behind) {
        return listeners.stream()
                .filter(watched -> watched.name().equals(behind.listener()))
                .findFirst()
                .orElseThrow()
                .listener();
    }

    private void turned(Watched watched) {
        turned();
        port().turned(watched);
    }

    /** A pause that the operator made isn't the debug JVM's lateness. */
    private void turned() {
        List<TeeMode> modes = listeners.stream()
                .map(Watched::tee)
                .filter(Objects::nonNull)
                .map(Tee::mode)
                .toList();
        boolean held = modes.contains(TeeMode.PAUSED) && !modes.contains(TeeMode.ON);
        jvms.values().forEach(jvm -> jvm.clock.hold(held, System.nanoTime()));
    }

    /** A report doesn't say whose it is; with several debug JVMs none of them is held to live for it. */
    private void reported() {
        if (jvms.size() == 1) {
            jvms.values().forEach(jvm -> jvm.clock.life(System.nanoTime()));
        }
    }
}
