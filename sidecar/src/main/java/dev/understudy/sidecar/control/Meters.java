package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.noise.learn.Learned;
import dev.understudy.divergence.noise.learn.LearnedNoise;
import dev.understudy.divergence.noise.learn.NoiseKind;
import dev.understudy.relay.event.EventFeed;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.stream.Spill;
import dev.understudy.sidecar.inbound.AggregatorLink;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.record.RecordingSwitch;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.verdict.Latency;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.Tally;
import dev.understudy.sidecar.window.WindowModel;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sidecar's meters, {@code understudy.*}; each reads a counter that is kept anyway. */
public final class Meters {
    /** Bounds in seconds of what is counted for quantiles of the last minutes; those kept are since the start. */
    private static final double[] BOUNDS = {
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, Double.POSITIVE_INFINITY
    };

    private final MeterRegistry registry;

    public Meters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** One listener's verdicts, losses and latencies, for one debug JVM. */
    public void add(Tags tags, DebugLanes lanes) {
        counter("understudy.debug.handshakes.failed", tags, lanes, DebugLanes::failedHandshakes);
        add(tags, lanes.tally());
    }

    private void add(Tags tags, Tally tally) {
        for (VerdictKind kind : VerdictKind.values()) {
            counter("understudy.verdicts", tags.and("kind", lower(kind)), tally, t -> t.verdicts(kind));
        }
        for (NotCompared reason : NotCompared.values()) {
            counter("understudy.not.compared", tags.and("reason", lower(reason)), tally, t -> t.notCompared(reason));
        }
        for (LossReason reason : LossReason.values()) {
            if (reason != LossReason.NONE) {
                Tags reasoned = tags.and("reason", lower(reason));
                counter("understudy.losses", reasoned, tally, t -> t.lossEvents(reason));
                counter("understudy.lost.bytes", reasoned, tally, t -> t.lossBytes(reason));
            }
        }
        counter("understudy.exchanges", tags.and("side", "production"), tally, Tally::answeredByProduction);
        counter("understudy.exchanges", tags.and("side", "debug"), tally, Tally::answeredByDebug);
        counter(
                "understudy.exchanges.arrived",
                tags,
                tally,
                t -> t.fidelity().read().arrived());
        gauge(
                "understudy.exchanges.delivered",
                tags,
                tally,
                t -> t.fidelity().read().delivered());
        counter("understudy.exchanges.lost", tags, tally, t -> t.fidelity().lost());
        counter("understudy.replies.late", tags, tally, Tally::answeredLate);
        counter("understudy.joined", tags.and("outcome", "joined"), tally, Tally::joinedConnections);
        counter("understudy.joined", tags.and("outcome", "rejoined"), tally, Tally::rejoinedConnections);
        counter("understudy.joined", tags.and("outcome", "unjoined"), tally, Tally::unjoinedConnections);
        counter("understudy.requests.not.sampled", tags, tally, Tally::requestsNotSampled);
        counter("understudy.unframed", tags, tally, Tally::unframedConnections);
        gauge("understudy.debug.connected", tags, tally, Tally::lanesConnected);
        latency(tags.and("side", "production"), tally.production());
        latency(tags.and("side", "debug"), tally.debug());
    }

    /** The window and the order that holds it together. */
    public void add(Tags tags, WindowModel window, OrderGate order) {
        gauge("understudy.window.utilisation", tags, window, w -> w.state().utilisation());
        gauge("understudy.window.occupancy.bytes", tags, window, w -> w.state().occupancyBytes());
        gauge("understudy.window.capacity.bytes", tags, window, w -> w.state().capacityBytes());
        gauge("understudy.window.lag.seconds", tags, window, w -> w.state().lagMillis() / 1000.0);
        gauge("understudy.window.pending", tags, window, w -> w.state().pending());
        gauge("understudy.window.arrival.rate", tags, window, w -> w.state().arrivalRate());
        gauge("understudy.window.service.rate", tags, window, w -> w.state().serviceRate());
        counter("understudy.order.overtaken", tags, order, OrderGate::overtaken);
    }

    /** How many places are known where something differs by nature, and in how many exchanges that was overlooked. */
    public void add(Tags tags, LearnedNoise noise) {
        for (NoiseKind kind : NoiseKind.values()) {
            Tags kinds = tags.and("kind", kind.word());
            gauge("understudy.noise.places", kinds, noise, n -> of(n, kind).count());
            gauge(
                    "understudy.noise.overlooked",
                    kinds,
                    noise,
                    n -> of(n, kind).mapToLong(Learned::fired).sum());
        }
    }

    private static Stream<Learned> of(LearnedNoise noise, NoiseKind kind) {
        return noise.read().stream().filter(place -> place.kind() == kind);
    }

    /** What waits on disk, and what went there and back; nothing if nothing can. */
    public void add(@Nullable Spill spill) {
        if (spill != null) {
            gauge("understudy.spill.bytes", Tags.empty(), spill, Spill::used);
            gauge("understudy.spill.capacity.bytes", Tags.empty(), spill, Spill::capacity);
            gauge("understudy.spill.failing", Tags.empty(), spill, s -> s.failing() ? 1 : 0);
            counter("understudy.spill.transferred.bytes", Tags.of("direction", "out"), spill, Spill::written);
            counter("understudy.spill.transferred.bytes", Tags.of("direction", "in"), spill, Spill::read);
        }
    }

    /** What serves the sockets: 1 with its name as a tag. */
    public void add(Transport transport) {
        gauge("understudy.transport", Tags.of("transport", transport.word()), transport, used -> 1);
    }

    /** What became of the spans and of what others sent through us. */
    public void add(@Nullable Tracing tracing, OtlpForward forward) {
        if (tracing != null) {
            counter("understudy.spans", Tags.of("outcome", "exported"), tracing, Tracing::exported);
            counter("understudy.spans", Tags.of("outcome", "dropped"), tracing, Tracing::dropped);
        }
        counter("understudy.otlp", Tags.of("outcome", "forwarded"), forward, OtlpForward::forwarded);
        counter("understudy.otlp", Tags.of("outcome", "dropped"), forward, OtlpForward::dropped);
    }

    /** What the aggregator was told; nothing if there is none. */
    public void add(@Nullable AggregatorLink link) {
        if (link != null) {
            gauge("understudy.aggregator.link.up", Tags.empty(), link, l -> l.up() ? 1 : 0);
            counter("understudy.aggregator.link", Tags.of("outcome", "told"), link, AggregatorLink::told);
            counter("understudy.aggregator.link", Tags.of("outcome", "dropped"), link, AggregatorLink::dropped);
        }
    }

    /** How the upstream calls of exchanges compare. */
    public void add(Tags tags, OutgoingStore outgoing) {
        for (VerdictKind kind : OutgoingStore.KINDS) {
            counter("understudy.outgoing", tags.and("kind", lower(kind)), outgoing, calls -> calls.count(kind));
        }
    }

    /** A listener's last recording. */
    public void add(Tags tags, RecordingSwitch recording) {
        gauge(
                "understudy.recording.on",
                tags,
                recording,
                r -> r.status().state().equals("on") ? 1 : 0);
        gauge("understudy.recording.bytes", tags, recording, r -> r.status().bytes());
        gauge(
                "understudy.recording.incomplete",
                tags,
                recording,
                r -> r.status().incomplete());
        gauge(
                "understudy.recording.lost.bytes",
                tags,
                recording,
                r -> r.status().lostBytes());
    }

    /** How often the debug JVM was brought back into production's state, and in vain. */
    public void add(Resync resync) {
        Tags tags = Tags.of("debug", resync.debug());
        gauge("understudy.epoch", tags, resync, r -> r.current().number());
        counter("understudy.resync", tags.and("outcome", "done"), resync, Resync::done);
        counter("understudy.resync", tags.and("outcome", "failed"), resync, Resync::failed);
    }

    /** Who follows the events, and what they got of them. */
    public void add(EventFeed feed) {
        gauge("understudy.events.callers", Tags.empty(), feed, EventFeed::callers);
        counter("understudy.events.published", Tags.empty(), feed, EventFeed::published);
        counter("understudy.events.missed", Tags.empty(), feed, EventFeed::missed);
    }

    private void latency(Tags tags, Latency latency) {
        for (double percentile : new double[] {50, 99, 100}) {
            Tags with = tags.and("quantile", String.valueOf(percentile / 100));
            gauge("understudy.latency.seconds", with, latency, l -> l.percentile(percentile) / 1000);
        }
        for (double bound : BOUNDS) {
            Tags with = tags.and("le", bound == Double.POSITIVE_INFINITY ? "+Inf" : String.valueOf(bound));
            counter("understudy.replies.within", with, latency, l -> l.within(bound));
        }
    }

    private <T> void counter(String name, Tags tags, T counted, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, counted, value).tags(tags).register(registry);
    }

    private <T> void gauge(String name, Tags tags, T measured, ToDoubleFunction<T> value) {
        Gauge.builder(name, measured, value).tags(tags).strongReference(true).register(registry);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
