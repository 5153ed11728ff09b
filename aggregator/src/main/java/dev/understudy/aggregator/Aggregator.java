package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.http.HttpAnswerCodec;
import dev.understudy.aggregator.http.h2.HttpVersions;
import dev.understudy.aggregator.journal.Reason;
import dev.understudy.aggregator.limit.DebugBudget;
import dev.understudy.aggregator.match.CallerNotes;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.mysql.MySql;
import dev.understudy.aggregator.mysql.exchange.MySqlReplyCodec;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.postgres.Postgres;
import dev.understudy.aggregator.postgres.exchange.PgReplyCodec;
import dev.understudy.aggregator.production.InlineListeners;
import dev.understudy.aggregator.production.ProductionSide;
import dev.understudy.aggregator.production.RingListeners;
import dev.understudy.aggregator.redis.Redis;
import dev.understudy.aggregator.redis.RedisReplyCodec;
import dev.understudy.aggregator.replay.CallerLookup;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.aggregator.tcp.Tcp;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.aggregator.tls.FirstByteHandler;
import dev.understudy.aggregator.tls.TlsPort;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Metrics;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.lane.JvmMemory;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.starttls.MySqlClientTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A running aggregator: its upstreams and its control port.
 *
 * <pre>
 *   production JVM ──▶ Listener ══▶ upstream          debug JVM ──▶ ReplayServer
 *                         │ tap                                        │
 *                         └──▶ Lane ──▶ recorder ──▶ Journal ◀── replay handler
 * </pre>
 */
public final class Aggregator implements AutoCloseable {
    private static final Duration PACE = Duration.ofSeconds(1);
    private static final long LONG_AGO = TimeUnit.HOURS.toNanos(1);
    private static final long LAST_SECONDS = TimeUnit.SECONDS.toNanos(5);

    private final EventLoops loops;
    private final ProductionSide side;
    private final Metrics metrics;
    private final Misses misses = new Misses(InstantSource.system());
    private final InboundExchanges inbound;
    private final CallerNotes callers = new CallerNotes(System::nanoTime);
    private final CallerLookup callerLookup = new CallerLookup(callers);
    private final OutgoingCalls outgoing;
    private final Matches matches = new Matches(InstantSource.system(), this::asked);
    private final Faults faults = new Faults(System::nanoTime);
    private final List<Upstream<?>> upstreams = new ArrayList<>();
    private final DebugBudget debug;
    private final ControlServer control;
    private final DebugTls tls;
    private final Map<String, Set<String>> answered;

    /** Of the control loop, as are the two that follow. */
    private long acceptFailures;

    private long lostConnections;
    private long lookedAt = System.nanoTime();

    private Aggregator(AggregatorConfig config, EventLoops loops, ProductionSide side) throws IOException {
        this.loops = loops;
        this.side = side;
        this.inbound = new InboundExchanges(System::nanoTime, side::lag);
        this.outgoing = new OutgoingCalls(
                inbound,
                System::nanoTime,
                (upstream, form) -> find(upstream).journal().changing(form));
        debug = config.debugConnections().budget(loops.debugSockets());
        metrics = Metrics.open(config.service(), config.otlp());
        try {
            MemoryBudget memory = new MemoryBudget(config.lanes().memory(), null);
            Upstream.Lanes lanes = new Upstream.Lanes(
                    loops,
                    config.lanes().laneMemory(),
                    memory,
                    new MemoryBudget(config.lanes().memory() / 4 * 3, memory));
            tls = DebugTls.open(
                    config.debugTls().folder(),
                    UpstreamNames.of(config),
                    InstantSource.system(),
                    loops.laneHandshakes());
            RealAddresses real = RealAddresses.of(config.upstreams(), loops.laneNames());
            for (UpstreamConfig upstream : config.upstreams()) {
                upstreams.add(open(upstream, config, lanes, real));
            }
            faults.replace(config.faults());
            FaultControl switches = new FaultControl(faults, config.faultSettings());
            Routes routes = metrics.addTo(switches.addTo(AggregatorReport.addTo(
                    new Routes(),
                    upstreams,
                    misses,
                    matches,
                    inbound,
                    callers,
                    callerLookup,
                    outgoing,
                    tls,
                    debug,
                    side)));
            control = ControlServer.open(config.control(), routes);
            control.counts().addTo(metrics.registry());
            answered = routes.listed();
            if (side.start(metrics.registry())) {
                outgoing.lostSince(System.nanoTime() - LONG_AGO);
            }
            PeriodicTask.start(loops.control(), "expiring recorded replies", PACE, PACE, this::expire);
            Duration often = Duration.ofMillis(100);
            PeriodicTask.start(loops.control(), "looking for descriptors", often, often, this::watchDescriptors);
        } catch (IOException | RuntimeException e) {
            closeParts();
            throw e;
        }
    }

    /**
     * Opens all ports, production's as well, in this process.
     *
     * @throws IOException if one can't be opened; the message names it, and nothing is left open
     */
    public static Aggregator open(AggregatorConfig config) throws IOException {
        EventLoops loops = EventLoops.open();
        return open(config, loops, new InlineListeners(loops));
    }

    /**
     * Opens all ports but production's, and records what a tap process relays.
     *
     * @param rings where the tap process has its rings
     * @throws IOException if a port can't be opened, or the rings can't be read; the message names it
     */
    public static Aggregator behind(AggregatorConfig config, Path rings) throws IOException {
        EventLoops loops = EventLoops.open();
        try {
            return open(config, loops, new RingListeners(config, rings, loops));
        } catch (IOException | RuntimeException failed) {
            loops.close();
            throw failed;
        }
    }

    private static Aggregator open(AggregatorConfig config, EventLoops loops, ProductionSide side) throws IOException {
        return new Aggregator(ReplayHeadroom.fit(config, JvmMemory.read()), loops, side);
    }

    /** The list of protocols: how each is recorded, how each is replayed. */
    private Upstream<?> open(UpstreamConfig upstream, AggregatorConfig config, Upstream.Lanes lanes, RealAddresses real)
            throws IOException {
        Upstream.Shared shared = new Upstream.Shared(
                config.journal(),
                misses,
                matches,
                faults,
                debug,
                lanes,
                inbound,
                callerLookup,
                outgoing,
                metrics.registry(),
                real,
                side,
                config.redact());
        return switch (upstream.protocol()) {
            case HTTP -> {
                TlsPort port = tls.port(upstream.name(), List.of("http/1.1", "h2"));
                yield new Upstream<>(
                        upstream,
                        port,
                        HttpVersions.recorder(upstream.form()),
                        byFirstByte(port, HttpVersions.replayer(upstream.stubs(), upstream.form())),
                        new HttpAnswerCodec(),
                        file -> {},
                        shared);
            }
            case MYSQL -> {
                TlsPort port = tls.port(upstream.name(), List.of());
                MySql mysql = new MySql(upstream.spelling());
                yield new Upstream<>(
                        upstream,
                        port,
                        mysql.recorder(),
                        upstream.offersTls() ? askedFor(port, mysql.replayer()) : mysql.replayer(),
                        new MySqlReplyCodec(),
                        mysql::keepIn,
                        shared);
            }
            case REDIS -> {
                TlsPort port = tls.port(upstream.name(), List.of());
                AggregatorConfig.JournalConfig journal = config.journal();
                Redis redis = new Redis(Math.max(1, journal.memory() / 8), journal.age(), upstream.redisForm());
                yield new Upstream<>(
                        upstream,
                        port,
                        redis.recorder(),
                        byFirstByte(port, redis.replayer()),
                        new RedisReplyCodec(),
                        file -> {},
                        shared);
            }
            case TCP -> {
                TlsPort port = tls.port(upstream.name(), List.of());
                AggregatorConfig.JournalConfig journal = config.journal();
                Tcp tcp = new Tcp(journal.memory(), journal.age(), upstream.byCount());
                yield new Upstream<>(upstream, port, tcp.recorder(), tcp.replayer(), shared);
            }
            case POSTGRES -> {
                TlsPort port = tls.port(upstream.name(), List.of("postgresql"));
                Postgres postgres =
                        new Postgres(upstream.spelling(), config.journal().age());
                yield new Upstream<>(
                        upstream,
                        port,
                        postgres.recorder(),
                        byFirstByte(port, postgres.replayer(upstream.offersTls() ? port : null)),
                        new PgReplyCodec(),
                        postgres::keepIn,
                        shared);
            }
        };
    }

    /** With TLS for clients that begin with it. */
    private static <R extends RecordedReply> Replayer<R> byFirstByte(TlsPort port, Replayer<R> plain) {
        return (pipeline, replay) -> {
            pipeline.addLast(new FirstByteHandler(port));
            plain.replay(pipeline, replay);
        };
    }

    /** With TLS for clients that ask for it when they are greeted, in MySQL's words. */
    private static <R extends RecordedReply> Replayer<R> askedFor(TlsPort port, Replayer<R> plain) {
        return (pipeline, replay) -> {
            pipeline.addLast(new MySqlClientTls(asking -> port.begin(asking.pipeline())));
            plain.replay(pipeline, replay);
        };
    }

    /** Where production finds the upstream of this name. */
    public InetSocketAddress productionAddress(String upstream) {
        return find(upstream).productionAddress().orElseThrow();
    }

    /** Where the debug JVM finds the upstream of this name. */
    public SocketAddress debugAddress(String upstream) {
        return find(upstream).debugAddress();
    }

    /** Where operators find the control API. */
    public InetSocketAddress controlAddress() {
        return control.address();
    }

    /** What the control port answers: the methods of each path. */
    Map<String, Set<String>> answered() {
        return answered;
    }

    /** All addresses in one line. */
    public String ready() {
        StringBuilder line = new StringBuilder();
        for (Upstream<?> upstream : upstreams) {
            line.append(line.isEmpty() ? "" : " ")
                    .append(upstream.config().name())
                    .append(" production=")
                    .append(AggregatorReport.listening(upstream))
                    .append(" debug=")
                    .append(AggregatorReport.text(upstream.debugAddress()))
                    .append(',');
        }
        return line.append(" control=")
                .append(AggregatorReport.text(control.address()))
                .toString();
    }

    /** What was recorded and replayed, in one line for the end. */
    public String fidelity() {
        return AggregatorReport.fidelity(upstreams, side);
    }

    /** Accepts no more production connections and gives the open ones until {@code patience} is over to end. */
    public void drain(Duration patience) {
        side.drain(patience);
    }

    /** Ends the patience of a {@link #drain} that is going on. */
    public void hurry() {
        side.hurry();
    }

    @Override
    public void close() {
        control.close();
        closeParts();
    }

    private void closeParts() {
        side.close();
        awaitRecorded();
        upstreams.forEach(Upstream::close);
        metrics.close();
        loops.close();
    }

    /** Nothing comes any more: waits some seconds for what is on its way to the journals. */
    private void awaitRecorded() {
        long begun = System.nanoTime();
        long before = -1;
        long now = recordedBytes();
        while (now != before && System.nanoTime() - begun < LAST_SECONDS) {
            loops.inboxes()
                    .forEach(inbox ->
                            inbox.loop().submit(() -> {}).awaitUninterruptibly(LAST_SECONDS, TimeUnit.NANOSECONDS));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            before = now;
            now = recordedBytes();
        }
    }

    private long recordedBytes() {
        return upstreams.stream()
                .mapToLong(upstream ->
                        upstream.recorded().requestBytes() + upstream.recorded().replyBytes())
                .sum();
    }

    private void asked(Matches.Matched call) {
        Matches.Source recorded = call.outcome() == Matches.Outcome.REPLAYED ? call.recorded() : null;
        boolean isRerun = inbound.reruns().in(call.form().trace()) != null;
        if (isRerun || call.outcome() == Matches.Outcome.BACKGROUND) {
            return;
        }
        Reason reason = call.reason();
        outgoing.asked(
                call.upstream(),
                call.form(),
                call.waitedNanos(),
                recorded == null ? null : recorded.id(),
                reason != null && reason.guessed(),
                reason != null && reason.doubtful());
    }

    private void expire() {
        long lost = side.lostConnections();
        if (lost > lostConnections) {
            outgoing.lostSince(lookedAt);
        }
        lostConnections = lost;
        lookedAt = System.nanoTime();
        upstreams.forEach(upstream -> upstream.journal().expire());
    }

    /** Has debug connections closed while production lacks descriptors. */
    private void watchDescriptors() {
        long failures = side.acceptFailures();
        loops.debugSockets().look(failures > acceptFailures);
        acceptFailures = failures;
    }

    private Upstream<?> find(String name) {
        return upstreams.stream()
                .filter(upstream -> upstream.config().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("upstream: " + name + " (expected: a configured one)"));
    }
}
