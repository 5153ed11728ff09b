package dev.understudy.aggregator;

import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.journal.Reply;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.RecordingObserver;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.ReplayCounts;
import dev.understudy.aggregator.replay.ReplayServer;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.relay.Listener;
import dev.understudy.relay.RelayConfig;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Tap;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * One upstream, assembled: production's listener, the journal, the debug side's server.
 *
 * <p>The two sides are opened apart and share the journal alone; only the listener is told where the upstream is.
 */
final class Upstream<R extends Reply> implements AutoCloseable {
    /** No message of our protocols is recorded beyond this, however large the journal is. */
    private static final long MOST = 512L << 20;

    private final UpstreamConfig config;
    private final Recorder<R> recorder;
    private final Replayer<R> replayer;
    private final Journal<R> journal;
    private final long largestMessage;
    private final RecordCounts recorded = new RecordCounts();
    private final ReplayCounts replayed = new ReplayCounts();

    private final Listener production;
    private final ReplayServer debug;

    /**
     * Opens both ports.
     *
     * @throws IOException if one of them can't be opened; none is open then
     */
    Upstream(UpstreamConfig config, Recorder<R> recorder, Replayer<R> replayer, Shared shared) throws IOException {
        this.config = config;
        this.recorder = recorder;
        this.replayer = replayer;
        this.largestMessage = Math.max(1, Math.min(shared.bounds().memory() / 8, MOST));
        this.journal = new Journal<>(
                new JournalBounds(
                        shared.bounds().memory(),
                        shared.bounds().age(),
                        config.policy().repeatLast()),
                System::nanoTime,
                shared.inbound());
        this.debug = openDebug(shared);
        try {
            this.production = openProduction(shared.lanes(), shared.registry());
        } catch (IOException e) {
            debug.close();
            throw e;
        }
        UpstreamMeters.register(shared.registry(), config.name(), recorded, journal, replayed);
    }

    private ReplayServer openDebug(Shared shared) throws IOException {
        EventLoops loops = shared.lanes().loops();
        Replay<R> replay = new Replay<>(
                config.name(), journal, config.policy(), replayed, shared.misses(), shared.matches(), largestMessage);
        return ReplayServer.open(
                resolved(config.debugListen()),
                replayer,
                replay,
                shared.faults(),
                replayed,
                loops.lanes(),
                loops.serverChannel());
    }

    private Listener openProduction(Lanes lanes, MeterRegistry registry) throws IOException {
        RelayConfig relay =
                new RelayConfig(config.name(), resolved(config.listen()), config.upstream(), config.accept());
        LaneMetrics metrics = new LaneMetrics(registry, config.name());
        return Listener.open(relay, connection -> tap(connection, lanes, metrics), lanes.loops(), registry);
    }

    private Tap tap(Connection connection, Lanes lanes, LaneMetrics metrics) {
        MemoryBudget budget = new MemoryBudget(lanes.laneMemory(), lanes.memory());
        return Lane.open(
                connection,
                lanes.loops().nextInbox(),
                budget,
                metrics,
                lane -> new RecordingObserver<>(
                        recorder,
                        new Recording<>(config.name(), connection.id(), journal, recorded, largestMessage),
                        recorded,
                        lanes.memory()));
    }

    UpstreamConfig config() {
        return config;
    }

    InetSocketAddress productionAddress() {
        return production.address();
    }

    /** The upstream's addresses and how they fare. */
    List<TargetStatus> targets() {
        return production.production();
    }

    SocketAddress debugAddress() {
        return debug.address();
    }

    Journal<R> journal() {
        return journal;
    }

    RecordCounts recorded() {
        return recorded;
    }

    ReplayCounts replayed() {
        return replayed;
    }

    /** Waits for production's connections to end by themselves, and accepts no more. */
    boolean drain(Duration patience) {
        return production.drain(patience);
    }

    void hurry() {
        production.hurry();
    }

    @Override
    public void close() {
        production.close();
        debug.close();
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        return new InetSocketAddress(address.getHostString(), address.getPort());
    }

    /** What all upstreams share for their way from the relay to the recorders. */
    record Lanes(EventLoops loops, long laneMemory, MemoryBudget memory) {}

    /** What all upstreams of a process have in common. */
    record Shared(
            AggregatorConfig.JournalConfig bounds,
            Misses misses,
            Matches matches,
            Faults faults,
            Lanes lanes,
            InboundExchanges inbound,
            MeterRegistry registry) {}
}
