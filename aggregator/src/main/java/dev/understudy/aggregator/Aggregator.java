package dev.understudy.aggregator;

import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.http.HttpRecorder;
import dev.understudy.aggregator.http.HttpReplayHandler;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.postgres.Postgres;
import dev.understudy.aggregator.redis.RedisRecorder;
import dev.understudy.aggregator.redis.RedisReplayHandler;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Metrics;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.lane.JvmMemory;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

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

    private final EventLoops loops = EventLoops.open();
    private final Metrics metrics;
    private final Misses misses = new Misses(InstantSource.system());
    private final InboundExchanges inbound = new InboundExchanges(System::nanoTime);
    private final Matches matches = new Matches(InstantSource.system());
    private final Faults faults = new Faults(System::nanoTime);
    private final List<Upstream<?>> upstreams = new ArrayList<>();
    private final ControlServer control;
    private final Map<String, Set<String>> answered;

    private Aggregator(AggregatorConfig config) throws IOException {
        metrics = Metrics.open(config.service(), config.otlp());
        try {
            MemoryBudget memory = new MemoryBudget(config.lanes().memory(), null);
            Upstream.Lanes lanes = new Upstream.Lanes(loops, config.lanes().laneMemory(), memory);
            for (UpstreamConfig upstream : config.upstreams()) {
                upstreams.add(open(upstream, config, lanes));
            }
            faults.replace(config.faults());
            FaultControl switches = new FaultControl(faults, config.faultSettings());
            Routes routes =
                    metrics.addTo(switches.addTo(Report.addTo(new Routes(), upstreams, misses, matches, inbound)));
            control = ControlServer.open(config.control(), routes);
            answered = routes.listed();
            loops.control().scheduleAtFixedRate(this::expire, 1, 1, TimeUnit.SECONDS);
        } catch (IOException | RuntimeException e) {
            closeParts();
            throw e;
        }
    }

    /**
     * Opens all ports.
     *
     * @throws IOException if one can't be opened; the message names it, and nothing is left open
     */
    public static Aggregator open(AggregatorConfig config) throws IOException {
        return new Aggregator(Headroom.fit(config, JvmMemory.read()));
    }

    /** The list of protocols: how each is recorded, how each is replayed. */
    private Upstream<?> open(UpstreamConfig upstream, AggregatorConfig config, Upstream.Lanes lanes)
            throws IOException {
        Upstream.Shared shared =
                new Upstream.Shared(config.journal(), misses, matches, faults, lanes, inbound, metrics.registry());
        return switch (upstream.protocol()) {
            case HTTP ->
                new Upstream<>(upstream, HttpRecorder::new, HttpReplayHandler.replayer(upstream.stubs()), shared);
            case REDIS -> new Upstream<>(upstream, RedisRecorder::new, RedisReplayHandler::replay, shared);
            case POSTGRES -> {
                Postgres postgres = new Postgres();
                yield new Upstream<>(upstream, postgres.recorder(), postgres.replayer(), shared);
            }
        };
    }

    /** Where production finds the upstream of this name. */
    public InetSocketAddress productionAddress(String upstream) {
        return find(upstream).productionAddress();
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
        StringBuilder line = new StringBuilder("understudy aggregator ready:");
        for (Upstream<?> upstream : upstreams) {
            line.append(' ')
                    .append(upstream.config().name())
                    .append(" production=")
                    .append(Report.text(upstream.productionAddress()))
                    .append(" debug=")
                    .append(Report.text(upstream.debugAddress()))
                    .append(',');
        }
        return line.append(" control=").append(Report.text(control.address())).toString();
    }

    /** What was recorded and replayed, in one line for the end. */
    public String fidelity() {
        return Report.fidelity(upstreams);
    }

    /** Accepts no more production connections and gives the open ones until {@code patience} is over to end. */
    public void drain(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Upstream<?> upstream : upstreams) {
            upstream.drain(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }

    /** Ends the patience of a {@link #drain} that is going on. */
    public void hurry() {
        upstreams.forEach(Upstream::hurry);
    }

    @Override
    public void close() {
        control.close();
        closeParts();
    }

    private void closeParts() {
        upstreams.forEach(Upstream::close);
        metrics.close();
        loops.close();
    }

    private void expire() {
        upstreams.forEach(upstream -> upstream.journal().expire());
    }

    private Upstream<?> find(String name) {
        return upstreams.stream()
                .filter(upstream -> upstream.config().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("upstream: " + name + " (expected: a configured one)"));
    }
}
