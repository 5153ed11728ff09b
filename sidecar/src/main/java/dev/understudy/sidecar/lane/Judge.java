package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.raw.RawAnswer;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Place;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.trace.SpanRecording;
import dev.understudy.sidecar.trace.TraceIds;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import dev.understudy.sidecar.verdict.ReplyPair;
import dev.understudy.sidecar.verdict.Tally;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives one connection's exchanges their verdicts, and tells everybody who keeps them. Confined to its lane loop. */
final class Judge {
    private static final Logger LOG = LoggerFactory.getLogger(Judge.class);

    /** HTTP's statuses from here on say that a request failed. */
    private static final int FAILURE = 400;

    private final LaneShared shared;
    private final Dialect dialect;
    private final String listener;
    private final Tally tally;
    private final TapConnection connection;

    Judge(LaneShared shared, LaneSettings settings, Tally tally, TapConnection connection) {
        this.shared = shared;
        this.dialect = shared.dialect(settings.protocol());
        this.listener = settings.listener();
        this.tally = tally;
        this.connection = connection;
    }

    /** Both sides of {@code exchange} are over: the one place where it gets its verdict. */
    void judge(Exchange exchange) {
        String asked = asked(exchange);
        TextSpan production = times(exchange.arrivedNanos, exchange.production);
        TextSpan debug = times(exchange.handedNanos, exchange.debug);
        Verdict found = shared.noise().apply(asked, verdict(exchange, production, debug), production, debug);
        Verdict verdict =
                shared.masking().mask(exchange.outOfOrder ? found.excusedBy(NotCompared.OUT_OF_ORDER) : found);
        boolean settled = false;
        try {
            Judged judged = judged(exchange, asked, verdict);
            Labels.Edition labels = shared.labels().now();
            boolean isLate = exchange.labelled;
            ExchangeOutcome outcome = outcome(exchange, asked, judged.debugMillis(), false, labels);
            SpanRecording span = span(exchange, verdict);
            Failing byItself = isLate ? labels.rule().late() : outcome == null ? null : failing(outcome);
            ReplyPair replies = replies(exchange, verdict, byItself != null);
            settled = true;
            if (verdict.kind() == VerdictKind.DIFFERENT) {
                shared.guesses()
                        .ask(exchange.id, guesses -> settle(judged.after(guesses), replies, outcome, byItself, span));
            } else {
                settle(judged, replies, outcome, byItself, span);
            }
        } finally {
            if (!settled) {
                tally.judged(verdict);
            }
            exchange.drop();
        }
    }

    /**
     * Tells everybody; perhaps later, and then on any thread.
     *
     * @param byItself by which rule it fails, whether or not the replies differ; null if by none
     */
    private void settle(
            Judged judged,
            @Nullable ReplyPair replies,
            @Nullable ExchangeOutcome outcome,
            @Nullable Failing byItself,
            @Nullable SpanRecording span) {
        Verdict verdict = judged.verdict();
        try {
            ExchangeOutcome ended = outcome == null ? null : outcome.as(verdict.kind() == VerdictKind.DIFFERENT);
            Failing failing = byItself;
            if (failing == null && ended != null && ended.different()) {
                failing = failing(ended);
            }
            keep(judged, failing, replies);
            if (ended != null) {
                shared.endings().accept(ended);
            }
            record(span, verdict);
        } finally {
            tally.judged(verdict); // last, so that whoever sees the count finds the verdict
        }
    }

    /**
     * Debug still works on {@code exchange}: if nothing has come of it for so long that it counts as slow, it may never
     * end, and is told of as it stands.
     *
     * @param onClock the moment on the debug JVM's own clock
     */
    void watch(Exchange exchange, long onClock) {
        Labels.Edition labels = shared.labels().now();
        long slow = labels.rule().slow().time().toNanos();
        if (slow > 0 && exchange.handed && !exchange.labelled && onClock - exchange.progressOnClock >= slow) {
            ExchangeOutcome outcome = outcome(exchange, asked(exchange), null, true, labels);
            if (outcome != null) {
                shared.endings().accept(outcome);
            }
        }
    }

    private String asked(Exchange exchange) {
        return (exchange.request.method() + " " + exchange.request.target(shared.masking())).strip();
    }

    /** A connection that has no more exchanges counts as one that wasn't compared. */
    void judgeBytes(NotCompared reason, String what) {
        judgeBytes(Verdict.notCompared(reason), what, id -> null);
    }

    /**
     * What came of bytes that belong to no exchange; noise is nothing that could be told from them.
     *
     * @param ending how it ended under the number with which it is kept; null if that isn't known
     */
    void judgeBytes(Verdict found, String what, LongFunction<@Nullable ExchangeOutcome> ending) {
        Verdict verdict = shared.masking().mask(found);
        long id = shared.exchangeIds().incrementAndGet();
        try {
            ExchangeOutcome ended = ending.apply(id);
            Judged judged = new Judged(id, listener, connection.id(), null, what, verdict, null, null, null);
            keep(judged, ended == null ? null : failing(ended), null);
            if (ended != null) {
                shared.endings().accept(ended);
            }
        } finally {
            tally.judged(verdict);
        }
    }

    /** How a turn of bytes ended that the debug JVM was told at {@code place}, and may have told of. */
    ExchangeOutcome outcome(
            long id, String asked, String opening, Place place, Verdict verdict, RawAnswer answer, String arrival) {
        return new ExchangeOutcome(
                "",
                place,
                id,
                listener,
                connection.id(),
                asked,
                opening,
                verdict.kind() == VerdictKind.DIFFERENT,
                0,
                0,
                answer.said(),
                answer.whole() ? millis(answer.nanos()) : null,
                false,
                Set.of(),
                arrival,
                shared.labels().now().number());
    }

    /** How it ended, without whether the replies differ; null if debug never had it, or that is told already. */
    private @Nullable ExchangeOutcome outcome(
            Exchange exchange, String asked, @Nullable Double debugMillis, boolean late, Labels.Edition labels) {
        if (!exchange.handed || exchange.labelled) {
            return null;
        }
        exchange.labelled = true;
        TraceIds trace = exchange.trace;
        return new ExchangeOutcome(
                trace == null || !dialect.tellsTraces() ? "" : trace.debug(),
                exchange.place,
                exchange.id,
                listener,
                connection.id(),
                asked,
                "",
                false,
                exchange.debug.status(),
                exchange.production.status(),
                exchange.debug.said(),
                debugMillis,
                late,
                shows(exchange, debugMillis, labels.conditions()),
                exchange.arrival(),
                labels.number());
    }

    private static Set<ReplyCondition> shows(
            Exchange exchange, @Nullable Double debugMillis, List<ReplyCondition> conditions) {
        ReplyExcerpt excerpt = conditions.isEmpty() ? null : exchange.debug.excerpt();
        if (excerpt == null) {
            return Set.of();
        }
        ReplyFacts facts = ReplyFacts.of(excerpt, debugMillis == null ? 0 : debugMillis.longValue());
        return conditions.stream().filter(one -> one.holds(facts)).collect(Collectors.toSet());
    }

    private @Nullable Failing failing(ExchangeOutcome ended) {
        return shared.labels().now().rule().failing(ended);
    }

    private void keep(Judged judged, @Nullable Failing failing, @Nullable ReplyPair replies) {
        shared.verdicts().add(judged);
        String route = shared.findings().add(judged);
        shared.exchanges().add(route, judged, failing, replies);
    }

    /**
     * What people may see beside each other; of equal replies only failures, which somebody may look into, and of the
     * others the request alone, with which a failing one may be compared.
     *
     * @param fails whether it does by itself
     */
    private static @Nullable ReplyPair replies(Exchange exchange, Verdict verdict, boolean fails) {
        boolean isSame = verdict.kind() == VerdictKind.SAME;
        if (isSame && !fails && exchange.production.status() < FAILURE) {
            byte[] request = exchange.cutOff ? null : exchange.asked.bytes();
            return request == null ? null : new ReplyPair(null, null, request);
        }
        ReplyExcerpt production = exchange.production.excerpt();
        ReplyExcerpt debug = isSame ? production : exchange.debug.excerpt();
        return production == null && debug == null
                ? null
                : new ReplyPair(production, debug, exchange.cutOff ? null : exchange.asked.bytes());
    }

    private Verdict verdict(Exchange exchange, TextSpan production, TextSpan debug) {
        NotCompared failure = exchange.failure;
        if (failure != null) {
            return wasLetGoOn(exchange) ? letGoOn(exchange, failure) : Verdict.notCompared(failure);
        }
        try {
            return dialect.compare(exchange.request, exchange.production, production, exchange.debug, debug);
        } catch (RuntimeException defect) {
            LOG.error("connection {}: exchange {} couldn't be compared", connection.id(), exchange.id, defect);
            return Verdict.notCompared(NotCompared.INTERNAL);
        }
    }

    /** Whether debug asked for the body of an upload that production had refused without. */
    private static boolean wasLetGoOn(Exchange exchange) {
        return exchange.cutOff
                && exchange.production.complete()
                && !exchange.production.isGoAhead()
                && exchange.debug.isGoAhead()
                && !exchange.debug.begun();
    }

    private static Verdict letGoOn(Exchange exchange, NotCompared failure) {
        String status = Integer.toString(exchange.production.status());
        Difference difference = new Difference("status", Difference.Type.STATUS, status, "100", null);
        return new Verdict(VerdictKind.DIFFERENT, failure, List.of(difference));
    }

    private TextSpan times(long begun, ReplyCopy reply) {
        return new TextSpan(shared.wall().at(begun), shared.wall().at(reply.endedNanos()));
    }

    private Judged judged(Exchange exchange, String asked, Verdict verdict) {
        TraceIds trace = exchange.trace;
        return new Judged(
                exchange.id,
                listener,
                connection.id(),
                verdict.kind() == VerdictKind.DIFFERENT ? dialect.sessionOf(exchange.request) : null,
                asked,
                verdict,
                trace == null ? null : trace.trace(),
                exchange.production.complete()
                        ? millis(exchange.production.endedNanos() - exchange.arrivedNanos)
                        : null,
                exchange.debug.complete() ? millis(exchange.debug.endedNanos() - exchange.handedNanos) : null,
                shared.wall().at(exchange.arrivedNanos).toEpochMilli(),
                exchange.production.status(),
                exchange.debug.status(),
                exchange.handed ? millis(shared.wall().at(exchange.handedNanos)) : 0);
    }

    private static double millis(Instant moment) {
        return 1_000.0 * moment.getEpochSecond() + moment.getNano() / 1_000_000.0;
    }

    private void record(@Nullable SpanRecording span, Verdict verdict) {
        Tracing tracing = shared.tracing();
        if (tracing == null || span == null) {
            return;
        }
        try {
            tracing.record(span.as(verdict));
        } catch (RuntimeException defect) {
            LOG.error("connection {}: exchange {} couldn't be traced", connection.id(), span.exchange(), defect);
        }
    }

    /** Null if no traces are exported, or it has none. */
    private @Nullable SpanRecording span(Exchange exchange, Verdict verdict) {
        TraceIds trace = exchange.trace;
        if (shared.tracing() == null || trace == null) {
            return null;
        }
        long productionEnd = exchange.production.complete()
                ? exchange.production.endedNanos()
                : Math.max(exchange.arrivedNanos, exchange.productionOverNanos);
        long debugEnd = exchange.debug.complete()
                ? exchange.debug.endedNanos()
                : Math.max(exchange.handedNanos, exchange.progressNanos);
        return new SpanRecording(
                trace,
                exchange.request.clientTrace(),
                listener,
                connection.id(),
                exchange.id,
                dialect.name(),
                exchange.request.method(),
                path(exchange),
                verdict,
                part(exchange.production, exchange.arrivedNanos, productionEnd),
                exchange.handed ? part(exchange.debug, exchange.handedNanos, debugEnd) : null);
    }

    private SpanRecording.Part part(ReplyCopy reply, long begun, long ended) {
        return new SpanRecording.Part(
                shared.wall().at(begun),
                reply.begun() ? shared.wall().at(reply.begunNanos()) : null,
                shared.wall().at(ended),
                reply.status());
    }

    private String path(Exchange exchange) {
        String masked = exchange.request.target(shared.masking());
        int query = masked.indexOf('?');
        return query < 0 ? masked : masked.substring(0, query);
    }

    private static @Nullable Double millis(long nanos) {
        return Math.round(nanos / 1000.0) / 1000.0;
    }
}
