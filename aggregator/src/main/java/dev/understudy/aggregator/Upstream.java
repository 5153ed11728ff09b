package dev.understudy.aggregator;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.Redaction;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.fact.ServerFile;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.limit.DebugBudget;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.production.ProductionSide;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.RecordingObserver;
import dev.understudy.aggregator.record.RecordingTaps;
import dev.understudy.aggregator.replay.CallerLookup;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.ReplayCounts;
import dev.understudy.aggregator.replay.ReplayServer;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.tls.TlsPort;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.mask.SecretRules;
import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upstream, assembled: production's listener, the journal, the debug side's server.
 *
 * <p>The two sides are opened apart and share the journal alone. Only the listener knows where the upstream is, and
 * what asks it for reads of the debug JVM if the settings want that. What asks a stand-in knows the stand-in's address.
 */
final class Upstream<R extends RecordedReply> implements AutoCloseable {
    /** No message of our protocols is recorded beyond this, however large the journal is. */
    private static final long MOST = 512L << 20;

    private static final Logger log = LoggerFactory.getLogger(Upstream.class);

    private final UpstreamConfig config;
    private final TlsPort tls;
    private final Recorder<R> recorder;
    private final Replayer<R> replayer;
    private final @Nullable LargeBodies bodies;
    private final Journal<R> journal;
    private final long largestMessage;
    private final RecordCounts recorded = new RecordCounts();
    private final ReplayCounts replayed = new ReplayCounts();
    private final LiveServers live;
    private final @Nullable RelayStatus production;
    private final ReplayServer debug;

    /**
     * Opens both ports.
     *
     * @throws IOException if one of them can't be opened; none is open then
     */
    Upstream(UpstreamConfig config, TlsPort tls, Recorder<R> recorder, Replayer<R> replayer, Shared shared)
            throws IOException {
        this(config, tls, recorder, replayer, null, file -> {}, shared);
    }

    /**
     * Opens both ports, and the journal's directory if one is set.
     *
     * @param codec how replies are kept on disk; null for a protocol whose replies stay in memory
     * @param server is given, before there are connections, where what is known of the server is kept, if it is
     * @throws IOException if one of them can't be opened; none is open then
     */
    Upstream(
            UpstreamConfig config,
            TlsPort tls,
            Recorder<R> recorder,
            Replayer<R> replayer,
            @Nullable ReplyCodec<R> codec,
            Consumer<ServerFile> server,
            Shared shared)
            throws IOException {
        this.config = config;
        this.tls = tls;
        this.recorder = recorder;
        this.replayer = replayer;
        this.largestMessage = Math.max(1, Math.min(shared.bounds().memory() / 8, MOST));
        this.bodies = codec == null ? null : bodies(shared);
        try {
            this.journal = new Journal<>(
                    new JournalBounds(
                            shared.bounds().memory(),
                            shared.bounds().age(),
                            config.policy().repeatsLast()),
                    System::nanoTime,
                    shared.inbound(),
                    codec == null ? null : disk(codec, server, shared, bodies),
                    bodies);
        } catch (IOException e) {
            if (bodies != null) {
                bodies.close();
            }
            throw e;
        }
        try {
            this.live = LiveServers.open(config, shared.real(), shared.lanes().loops());
        } catch (IOException e) {
            journal.close();
            throw e;
        }
        try {
            this.debug = openDebug(shared);
        } catch (IOException e) {
            live.close();
            journal.close();
            throw e;
        }
        try {
            this.production = config.listen() == null ? null : openProduction(shared);
        } catch (IOException e) {
            debug.close();
            live.close();
            journal.close();
            throw e;
        }
        UpstreamMeters.register(shared.registry(), config.name(), recorded, journal, replayed);
    }

    /** What was recorded from another server, or by another rule, is another journal. */
    private @Nullable JournalDisk<R> disk(
            ReplyCodec<R> codec, Consumer<ServerFile> server, Shared shared, @Nullable LargeBodies bodies)
            throws IOException {
        AggregatorConfig.JournalConfig bounds = shared.bounds();
        if (bounds.diskDirectory().isEmpty()) {
            return null;
        }
        try {
            Path directory = directory(bounds);
            String upstream = String.join(
                    "\n",
                    config.name(),
                    config.protocol().toString(),
                    config.upstream().addresses().toString(),
                    config.form().toString(),
                    config.redisForm().toString());
            JournalDisk<R> disk = JournalDisk.open(
                    directory,
                    upstream,
                    bounds.disk(),
                    codec,
                    shared.lanes().loops().allocator(),
                    System.nanoTime(),
                    bodies);
            server.accept(new ServerFile(directory.resolve("server.json"), upstream, disk::alsoDo));
            return disk;
        } catch (IOException | RuntimeException unusable) {
            throw new IOException(
                    "journal.disk-directory: " + bounds.diskDirectory() + " can't be used: " + unusable, unusable);
        }
    }

    private Path directory(AggregatorConfig.JournalConfig bounds) {
        return Path.of(bounds.diskDirectory(), URLEncoder.encode(config.name(), StandardCharsets.UTF_8));
    }

    /** In the journal's directory, where the next process finds them; or else among temporary files. */
    private @Nullable LargeBodies bodies(Shared shared) throws IOException {
        AggregatorConfig.JournalConfig bounds = shared.bounds();
        if (bounds.large() == 0) {
            return null;
        }
        ByteBufAllocator allocator = shared.lanes().loops().allocator();
        MemoryBudget waiting = shared.lanes().waiting();
        if (!bounds.diskDirectory().isEmpty()) {
            try {
                return LargeBodies.keep(
                        directory(bounds).resolve("large"), allocator, bounds.large(), bounds.largeFrom(), waiting);
            } catch (IOException | RuntimeException unusable) {
                throw new IOException(
                        "journal.disk-directory: " + bounds.diskDirectory() + " can't be used: " + unusable, unusable);
            }
        }
        // of this user: what another one has made can't be written
        Path temporary =
                Path.of(System.getProperty("java.io.tmpdir"), "understudy-large-" + System.getProperty("user.name"));
        try {
            return LargeBodies.open(temporary, allocator, bounds.large(), bounds.largeFrom(), waiting);
        } catch (IOException | RuntimeException unusable) {
            log.warn(
                    "upstream {}: replies that are too large for memory won't be recorded, since {} can't be used: {}",
                    config.name(),
                    temporary,
                    unusable.toString());
            return null;
        }
    }

    private ReplayServer openDebug(Shared shared) throws IOException {
        EventLoops loops = shared.lanes().loops();
        UpstreamReplay<R> replay = new UpstreamReplay<>(
                config.name(),
                journal,
                config.policy(),
                replayed,
                shared.misses(),
                shared.matches(),
                largestMessage,
                redaction(shared),
                live.asked());
        return ReplayServer.open(
                resolved(config.debugListen()),
                config.dialledPort(),
                replayer,
                replay,
                shared.debug(),
                shared.faults(),
                shared.callers(),
                replayed,
                loops.lanes(),
                loops.serverChannel());
    }

    private RelayStatus openProduction(Shared shared) throws IOException {
        Lanes lanes = shared.lanes();
        Redaction redaction = redaction(shared);
        LaneMetrics metrics = new LaneMetrics(shared.registry(), config.name());
        RecordingTaps taps = new RecordingTaps(
                connection -> tap(connection, lanes, metrics, shared.outgoing(), redaction),
                recorded,
                shared.outgoing());
        RelayStatus relay = shared.side().open(config, taps, shared.registry());
        shared.real().leads(relay.address());
        return relay;
    }

    /** What isn't shown of the forms: their texts are made by the rules of their protocols. */
    private Redaction redaction(Shared shared) {
        if (shared.redact().isEmpty()) {
            return Redaction.NONE;
        }
        Masking masking = new Masking(shared.redact());
        return new Redaction(
                switch (config.protocol()) {
                    case HTTP, TCP -> masking::within;
                    case MYSQL, POSTGRES -> masking::statement;
                    case REDIS -> masking::command;
                });
    }

    private Tap tap(
            TapConnection connection, Lanes lanes, LaneMetrics metrics, OutgoingCalls outgoing, Redaction redaction) {
        MemoryBudget budget = new MemoryBudget(lanes.laneMemory(), lanes.memory());
        return Lane.open(
                connection,
                lanes.loops().nextInbox(),
                budget,
                metrics,
                lane -> new RecordingObserver<>(
                        recorder,
                        new Recording<>(
                                config.name(),
                                connection.id(),
                                journal,
                                recorded,
                                largestMessage,
                                config.policy(),
                                outgoing,
                                bodies,
                                redaction),
                        recorded,
                        lanes.memory()));
    }

    UpstreamConfig config() {
        return config;
    }

    Optional<InetSocketAddress> productionAddress() {
        return Optional.ofNullable(production).map(RelayStatus::address);
    }

    /** The upstream's addresses and how they fare. */
    List<TargetStatus> targets() {
        return production == null ? List.of() : production.production();
    }

    SocketAddress debugAddress() {
        return debug.address();
    }

    /** The port at which the debug JVM is answered. */
    int debugPort() {
        return ((InetSocketAddress) debug.address()).getPort();
    }

    /** The port that the debug JVM dials. */
    int dialledPort() {
        return debug.dialledPort();
    }

    Journal<R> journal() {
        return journal;
    }

    RecordCounts recorded() {
        return recorded;
    }

    /** TLS at the debug port. */
    TlsPort tls() {
        return tls;
    }

    ReplayCounts replayed() {
        return replayed;
    }

    @Override
    public void close() {
        debug.close();
        live.close();
        journal.close();
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        return new InetSocketAddress(address.getHostString(), address.getPort());
    }

    /**
     * What all upstreams share for their way from the relay to the recorders.
     *
     * @param waiting the part of {@code memory} that may wait for the disk
     */
    record Lanes(EventLoops loops, long laneMemory, MemoryBudget memory, MemoryBudget waiting) {}

    /**
     * What all upstreams of a process have in common.
     *
     * @param debug what the debug JVM's connections may take
     * @param real where stand-ins can't be
     * @param side where production's connections are relayed
     * @param redact what isn't shown
     */
    record Shared(
            AggregatorConfig.JournalConfig bounds,
            Misses misses,
            Matches matches,
            Faults faults,
            DebugBudget debug,
            Lanes lanes,
            InboundExchanges inbound,
            CallerLookup callers,
            OutgoingCalls outgoing,
            MeterRegistry registry,
            RealAddresses real,
            ProductionSide side,
            SecretRules redact) {}
}
