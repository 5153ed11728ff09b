package dev.understudy.sidecar;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.control.Metrics;
import dev.understudy.relay.lane.JvmMemory;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.DebugTarget;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.config.WindowConfig;
import dev.understudy.sidecar.control.Meters;
import dev.understudy.sidecar.control.OperatorState;
import dev.understudy.sidecar.control.PlaybackControl;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.flame.RecentExchanges;
import dev.understudy.sidecar.inbound.AggregatorLink;
import dev.understudy.sidecar.inbound.InboundSink;
import dev.understudy.sidecar.inbound.LinkClient;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.order.Ordering;
import dev.understudy.sidecar.record.RecordingSwitch;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.suspect.Suspects;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.tee.TeeMode;
import dev.understudy.sidecar.tee.TeeSwitch;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.GuessCheck;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.TapGaps;
import io.micrometer.core.instrument.MeterRegistry;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything about the debug side, put together from a configuration: lanes, windows, comparison, and the control port.
 * It is given the connections by taps, whoever relays them.
 */
public final class LaneSide implements AutoCloseable {
    private final SidecarConfig config;
    private final EventLoops loops;
    private final @Nullable Spill spill;
    private final Recordings recordings;
    private final Metrics metrics;
    private final Meters meters;
    private final @Nullable Tracing tracing;
    private final @Nullable AggregatorLink link;

    /** The debug JVM that the aggregator answers. */
    private final String linked;

    /** Of the debug JVM that the aggregator answers, by its name; empty if there is no aggregator. */
    private final Map<String, OutgoingStore> outgoing;

    /** Of that JVM. */
    private final OutgoingStore compared = new OutgoingStore();

    private final GuessCheck guesses = new GuessCheck(compared, System::nanoTime);

    private final ExchangeLog exchanges;
    private final Suspects suspects;
    private final RecentExchanges endings = new RecentExchanges(System::nanoTime);
    private final Map<String, DebugJvm> jvms = new LinkedHashMap<>();
    private final List<Watched> listeners = new ArrayList<>();
    private final OpenLanes lanes;
    private final Ticker ticker;
    private final Resync resync;
    private @Nullable ControlPort control;
    private volatile @Nullable PlaybackControl playbacks;
    private final Runnable turning;
    private volatile boolean hurried;

    private LaneSide(
            SidecarConfig config,
            EventLoops loops,
            @Nullable LinkClient aggregator,
            @Nullable Spill spill,
            Recordings recordings,
            LongSupplier handedOver,
            Runnable turning) {
        this.turning = turning;
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
        exchanges = ExchangeLog.of(config.keptExchanges(), Runtime.getRuntime().maxMemory());
        Labels labels = new Labels(config.suspects());
        suspects = new Suspects(labels, new Random());
        List<String> names = names(config);
        linked = config.link().debug().isEmpty() ? names.get(0) : config.link().debug();
        link = aggregator == null
                ? null
                : new AggregatorLink(aggregator, () -> lanes.waited(linked), said -> {
                    compared.add(said);
                    guesses.said(said);
                });
        outgoing = link == null ? Map.of() : Map.of(linked, compared);
        Masking masking = new Masking(config.redact());
        for (String name : names) {
            jvms.put(
                    name,
                    new DebugJvm(
                            name,
                            loops,
                            handedOver,
                            config.window().memory() / names.size(),
                            config.window().orderWait(),
                            config.keptVerdicts(),
                            config.noise(),
                            config.learnNoise(),
                            config.protobuf(),
                            masking,
                            exchangeIds,
                            tracing,
                            link != null && name.equals(linked) ? link : InboundSink.NONE,
                            link != null && name.equals(linked) ? this::guesses : GuessCheck.Source.NONE,
                            labels,
                            exchanges,
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

    private void guesses(long exchange, IntConsumer then) {
        if (link != null && link.up()) {
            guesses.ask(exchange, then);
        } else {
            then.accept(0);
        }
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
     * Makes everything but the listeners; nothing is relayed or answered before {@link #open}.
     *
     * @param handedOver up to when the lanes have been handed everything, see {@link Ordering#handedOver}
     * @param turning is run when it may have changed which listeners' bytes are wanted
     * @throws IOException if a directory, or a file of TLS, can't be used; the message names it
     */
    public static LaneSide create(SidecarConfig config, EventLoops loops, LongSupplier handedOver, Runnable turning)
            throws IOException {
        LinkClient aggregator = config.link().url().isEmpty() ? null : new LinkClient(config.link());
        Recordings recordings = Recordings.open(config.record());
        Spill spill = spill(config.window(), loops);
        return new LaneSide(
                Headroom.fit(config, JvmMemory.read()), loops, aggregator, spill, recordings, handedOver, turning);
    }

    private static @Nullable Spill spill(WindowConfig window, EventLoops loops) throws IOException {
        if (window.diskDirectory().isEmpty()) {
            return null;
        }
        try {
            return Spill.open(Path.of(window.diskDirectory()), loops.allocator(), window.disk());
        } catch (IOException | RuntimeException notToBeHad) {
            throw new IOException(
                    "window.disk-directory: " + window.diskDirectory() + " can't be used: " + notToBeHad, notToBeHad);
        }
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

    /** Closes with no patience. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /** Lets lanes end for {@code patience}, and stops everything, the event loops too; relays have ended. */
    public void close(Duration patience) {
        ticker.awaitIdleLanes(patience, () -> hurried);
        listeners.forEach(watched -> watched.lanes().forEach(DebugLanes::shutDown));
        guesses.close();
        if (control != null) {
            control.close();
        }
        resync.close();
        if (playbacks != null) {
            playbacks.close();
        }
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

    /** Ends the patience of a {@link #close(Duration)} that is going on: what isn't delivered is lost. */
    public void hurry() {
        hurried = true;
    }

    /** Where relays register what they count. */
    public MeterRegistry registry() {
        return metrics.registry();
    }

    /**
     * Opens all listeners, those that are behind others last, and then the control port.
     *
     * @throws IOException if an address can't be listened on; the message names it
     */
    public void open(Relays relays) throws IOException {
        for (boolean behind : new boolean[] {false, true}) {
            for (ListenerConfig listener : config.listeners()) {
                if ((listener.behind() != null) == behind) {
                    listeners.add(open(listener, relays));
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
        PlaybackControl playing = new PlaybackControl(listeners, this::turned);
        playbacks = playing;
        RerunNotice reruns = link == null
                ? RerunNotice.NONE
                : new DebugReruns(link, Objects.requireNonNull(jvms.get(linked)), listeners);
        ControlPort port = new ControlPort(
                config,
                loops.transport(),
                listeners,
                jvms.values(),
                outgoing,
                exchanges,
                suspects,
                endings,
                debug -> debug.equals(linked) ? reruns : RerunNotice.NONE,
                spill,
                resync,
                playing,
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
            guesses.look();
            listeners.forEach(Watched::keepRecording);
        });
    }

    private Watched open(ListenerConfig listener, Relays relays) throws IOException {
        OperatorState operator = new OperatorState(listener.name(), text -> relays.keep(listener, text));
        operator.restore(relays.kept(listener), listener.protocol());
        TeeSwitch teeSwitch = new TeeSwitch(
                operator.mode(listener.tee().mode()),
                operator.sampling(listener.tee().sampling()),
                System.nanoTime());
        List<DebugLanes> own = new ArrayList<>();
        for (DebugTarget target : listener.debug()) {
            own.add(lanes.open(listener, target, teeSwitch));
        }
        Supplier<TapGaps> gaps = () -> relays.gaps(listener);
        own.forEach(debug -> debug.tally().fidelity().follow(gaps));
        Tee tee = own.isEmpty() ? null : new Tee(teeSwitch, own);
        if (tee != null && operator.awaitsSnapshot()) {
            tee.awaitSnapshot();
        }
        boolean framed = listener.protocol() == ListenerConfig.Framing.HTTP;
        RecordingSwitch recording = recordings.of(listener.name(), framed, listener.recorded(), operator.recording());
        meters.add(Tags.of("listener", listener.name()), recording);
        RelayStatus relay = relays.open(listener, Recordings.beside(tee == null ? TapFactory.NONE : tee, recording));
        return new Watched(listener.name(), listener.protocol(), relay, tee, recording, own, operator, gaps);
    }

    private void turned(Watched watched) {
        turned();
        port().turned(watched);
    }

    /** A pause that the operator made isn't the debug JVM's lateness, unless it gets a recording meanwhile. */
    private void turned() {
        turning.run();
        List<TeeMode> modes = listeners.stream()
                .map(Watched::tee)
                .filter(Objects::nonNull)
                .map(Tee::mode)
                .toList();
        PlaybackControl playing = playbacks;
        boolean isPlaying = playing != null && playing.isPlaying();
        boolean held = modes.contains(TeeMode.PAUSED) && !modes.contains(TeeMode.ON) && !isPlaying;
        jvms.values().forEach(jvm -> {
            jvm.isPlayedTo = isPlaying;
            jvm.clock.hold(held, System.nanoTime());
        });
    }

    /** A report doesn't say whose it is; with several debug JVMs none of them is held to live for it. */
    private void reported() {
        if (jvms.size() == 1) {
            jvms.values().forEach(jvm -> jvm.clock.life(System.nanoTime()));
        }
    }
}
