package dev.understudy.sidecar.lane;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.noise.learn.LearnedNoise;
import dev.understudy.divergence.wire.Protocol;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.inbound.InboundSink;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.order.DebugClock;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.trace.WallClock;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.GuessCheck;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyPair;
import dev.understudy.sidecar.verdict.VerdictStore;
import dev.understudy.sidecar.window.Traffic;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What all lanes of the process share; every part is safe for use by several threads.
 *
 * @param dialects of the protocols that are framed; at least HTTP
 * @param noise what may differ, by rules and by what has been learned
 * @param exchangeIds the last exchange number given
 * @param tracing null if no traces are exported
 * @param inbound is told which exchanges are being served
 * @param guesses says how many of the upstream replies that debug got for an exchange were guesses
 * @param exchanges keeps the newest exchanges for people to see
 * @param labels by which rules exchanges fail
 * @param endings is told how exchanges, and turns of bytes, ended that the debug JVM was told
 */
public record LaneShared(
        EventLoops loops,
        DebugClock debugClock,
        Traffic traffic,
        Map<Protocol, Dialect> dialects,
        LearnedNoise noise,
        Masking masking,
        VerdictStore verdicts,
        Findings findings,
        ExchangeSink exchanges,
        WallClock wall,
        AtomicLong exchangeIds,
        @Nullable Tracing tracing,
        InboundSink inbound,
        GuessCheck.Source guesses,
        Labels labels,
        Consumer<ExchangeOutcome> endings) {
    /** Keeps exchanges. For all threads. */
    @FunctionalInterface
    public interface ExchangeSink {
        /**
         * Keeps one.
         *
         * @param route what it is called in the report
         * @param failing null if it doesn't fail, or that can't be told
         * @param replies null if none are kept
         */
        void add(String route, Judged judged, @Nullable Failing failing, @Nullable ReplyPair replies);
    }

    public LaneShared {
        dialects = Map.copyOf(dialects);
    }

    /** For lanes of which nothing counts and nobody hears, but {@code sink}. */
    LaneShared apart(ExchangeSink sink) {
        Map<Protocol, Dialect> own = new EnumMap<>(Protocol.class);
        dialects.forEach((protocol, dialect) -> own.put(protocol, dialect.forReplay()));
        return new LaneShared(
                loops,
                debugClock,
                new Traffic(),
                own,
                noise,
                masking,
                new VerdictStore(1),
                new Findings(),
                sink,
                wall,
                new AtomicLong(),
                null,
                InboundSink.NONE,
                GuessCheck.Source.NONE,
                new Labels(LabelRule.defaults()),
                ending -> {});
    }

    /** That of a protocol. Of a connection that isn't framed nothing is asked of it. */
    Dialect dialect(Protocol protocol) {
        Dialect dialect = dialects.get(protocol == Protocol.TCP ? Protocol.HTTP : protocol);
        if (dialect == null) {
            throw new IllegalArgumentException(
                    "protocol: " + protocol + " (expected: one of " + dialects.keySet() + ")");
        }
        return dialect;
    }
}
