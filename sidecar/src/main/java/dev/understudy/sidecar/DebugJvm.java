package dev.understudy.sidecar;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.redis.RespComparison;
import dev.understudy.divergence.compare.sql.SqlComparison;
import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.learn.LearnedNoise;
import dev.understudy.divergence.wire.Protocol;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.finding.Overheads;
import dev.understudy.sidecar.flame.RecentExchanges;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.http.HttpDialect;
import dev.understudy.sidecar.frame.postgres.PostgresDialect;
import dev.understudy.sidecar.frame.redis.RedisDialect;
import dev.understudy.sidecar.inbound.InboundSink;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Place;
import dev.understudy.sidecar.lane.LaneShared;
import dev.understudy.sidecar.order.DebugClock;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.order.Ordering;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.trace.WallClock;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.GuessCheck;
import dev.understudy.sidecar.verdict.VerdictStore;
import dev.understudy.sidecar.window.Traffic;
import dev.understudy.sidecar.window.WindowModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to one debug JVM, whichever listeners it stands behind: its time, its order, its window, its identities,
 * its verdicts. Nothing here is another one's, so that none waits for, or is held to be, another.
 */
final class DebugJvm {
    private static final int IDENTITIES = 20_000;

    final String name;
    final MemoryBudget memory;
    final DebugClock clock = new DebugClock(System.nanoTime());
    final OrderGate causal;
    final Traffic traffic = new Traffic();
    final WindowModel window = new WindowModel(traffic, System.nanoTime());
    final VerdictStore verdicts;
    final Findings findings = new Findings();
    final Overheads overheads = new Overheads();
    final LearnedNoise noise;
    final IdentityMap identities = new IdentityMap(IDENTITIES);
    final LaneShared shared;
    /** Whether it gets a recording: that its requests are old is nobody's lateness. */
    volatile boolean isPlayedTo;

    /**
     * One without input yet.
     *
     * @param handedOver up to when its lanes have been handed everything, see {@link Ordering#handedOver}
     * @param memory bytes that all its lanes together may hold
     * @param keptVerdicts how many of each kind are kept
     * @param learn whether noise is learned
     * @param protobuf the messages that bodies may hold
     * @param masking what isn't shown
     */
    DebugJvm(
            String name,
            EventLoops loops,
            LongSupplier handedOver,
            long memory,
            Duration orderWait,
            int keptVerdicts,
            List<NoiseRule> rules,
            boolean learn,
            ProtobufSchema protobuf,
            Masking masking,
            AtomicLong exchangeIds,
            @Nullable Tracing tracing,
            InboundSink inbound,
            GuessCheck.Source guesses,
            Labels labels,
            ExchangeLog exchanges,
            RecentExchanges recent,
            Consumer<ExchangeOutcome> endings) {
        this.name = name;
        this.verdicts = new VerdictStore(keptVerdicts);
        this.memory = new MemoryBudget(memory, null);
        List<Executor> lanes = loops.inboxes().stream()
                .map(inbox -> (Executor) inbox::executeSoon)
                .toList();
        this.causal = Ordering.causal(handedOver, lanes, clock, orderWait);
        int limit = ComparisonRules.defaults().maxDifferences();
        noise = new LearnedNoise(new NoiseRules(rules, limit), learn, limit);
        Dialect http =
                new HttpDialect(new HttpComparison(ComparisonRules.defaults(), identities, protobuf), identities);
        Dialect redis = new RedisDialect(new RespComparison(ComparisonRules.defaults(), identities), masking);
        Dialect postgres = new PostgresDialect(new SqlComparison(ComparisonRules.defaults(), identities));
        this.shared = new LaneShared(
                loops,
                clock,
                traffic,
                Map.of(Protocol.HTTP, http, Protocol.REDIS, redis, Protocol.POSTGRES, postgres),
                noise,
                masking,
                verdicts,
                findings,
                (route, judged, failing, replies) -> {
                    exchanges.add(name, route, judged, failing, replies);
                    if (replies != null && replies.production() != null) {
                        inbound.keep(judged.exchange());
                    }
                },
                WallClock.now(),
                exchangeIds,
                tracing,
                inbound,
                guesses,
                labels,
                ending -> {
                    overheads.ended(ending.span(), ending.listener(), ending.request());
                    Place place = ending.place();
                    recent.ended(
                            name,
                            RecentExchanges.key(ending.span(), place.port(), place.from()),
                            ending.listener(),
                            ending.request());
                    endings.accept(ending);
                });
    }
}
