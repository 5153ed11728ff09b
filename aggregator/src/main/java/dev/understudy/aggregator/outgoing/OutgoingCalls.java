package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.match.Inbound;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.News;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Both JVMs' upstream calls, until both are done with the inbound exchange that made them, and how they compare.
 *
 * <p>An exchange is compared {@link #SETTLING} after the sidecar has told that both JVMs are done with it; a call that
 * one of them makes later still counts only if it came in the exchange's own trace. Bounded; what is forgotten isn't
 * compared. Safe for all threads: guarded by {@code this}, for O(log n) when a call is told of; an exchange costs one
 * look at each call that production began, or debug asked, while it served it.
 */
public final class OutgoingCalls {
    /** How long recorders and waiting calls have to tell of the last calls. */
    static final long SETTLING = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long RECORDING_LAG = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PRODUCTION_BYTES = 16L << 20;
    private static final int DEBUG_CALLS = 65_536;
    private static final long DEBUG_BYTES = 16L << 20;

    /** While no sidecar tells of exchanges, such a part of all that is kept for them is enough to begin with. */
    private static final int UNLINKED = 64;

    private static final int EXCHANGES = 65_536;
    private static final int LATEST = 1_024;

    private final InboundExchanges inbound;
    private final LongSupplier clock;
    private final BiPredicate<String, Form> changing;
    private final ArrayDeque<Compared> latest = new ArrayDeque<>();
    private final Map<VerdictKind, Long> kinds = new EnumMap<>(VerdictKind.class);
    private final Map<Uncompared, Long> uncompared = new EnumMap<>(Uncompared.class);
    private final Map<CallDifference.Kind, Long> differences = new EnumMap<>(CallDifference.Kind.class);
    private final Losses losses = new Losses();
    private final ProductionCalls production = new ProductionCalls();
    private final DebugCalls debug = new DebugCalls();

    /** By the exchange's number: when both were done with it. */
    private final Map<Long, Long> done = new LinkedHashMap<>();

    private String run = "";
    private long asked;
    private long guessed;

    /**
     * Knows of no calls yet.
     *
     * @param clock that of the journals
     * @param changing whether an upstream's replies to this form are known to say different things
     */
    public OutgoingCalls(InboundExchanges inbound, LongSupplier clock, BiPredicate<String, Form> changing) {
        this.changing = changing;
        this.inbound = inbound;
        this.clock = clock;
    }

    /** Production made a call; its number is that of the recorded exchange in its upstream's journal. */
    public synchronized void made(String upstream, long id, Form form, long startNanos, long endNanos) {
        production.add(
                new ProductionCall(upstream, id, form, startNanos, endNanos),
                inbound.linked() ? PRODUCTION_BYTES : PRODUCTION_BYTES / UNLINKED);
    }

    /** A call of production, which ended now, was not recorded. */
    public synchronized void lost() {
        losses.lost(clock.getAsLong());
    }

    /** All calls of production from then to now may be missing. */
    public synchronized void lostSince(long nanos) {
        losses.lost(new TimeSpan(nanos, clock.getAsLong()));
    }

    /** A connection's calls aren't recorded from now on. */
    public void blind() {
        blindSince(clock.getAsLong());
    }

    /** A connection's calls aren't recorded from then on. */
    public synchronized void blindSince(long nanos) {
        losses.begin(nanos);
    }

    /** Such a connection is closed. */
    public synchronized void blindNoMore() {
        losses.end(clock.getAsLong());
    }

    /**
     * It was decided now what a debug call gets.
     *
     * @param waitedNanos how long it has waited
     * @param recorded the number of the recorded exchange whose reply it gets, for the first time; null if it gets none
     * @param guessed whether other replies, which say something else, were as likely to be its own
     * @param doubtful whether other replies were; a guess if it turns out that they say something else
     */
    public synchronized void asked(
            String upstream, Form form, long waitedNanos, @Nullable Long recorded, boolean guessed, boolean doubtful) {
        long now = clock.getAsLong();
        ProductionCall.Twin twin = recorded == null ? null : new ProductionCall.Twin(upstream, recorded);
        debug.add(
                new DebugCall(
                        ++asked, upstream, form.withoutOutline(), now - waitedNanos, now, twin, guessed, doubtful),
                inbound.linked() ? DEBUG_CALLS : DEBUG_CALLS / UNLINKED,
                DEBUG_BYTES);
    }

    /** The sidecar's news, which {@link InboundExchanges} knows already; what can be compared now is returned. */
    public synchronized List<Compared> told(News news) {
        if (!news.run().equals(run)) {
            run = news.run();
            done.clear();
        }
        long now = clock.getAsLong();
        for (News.Told exchange : news.exchanges()) {
            if (exchange.replied() != null && exchange.done() != null) {
                done.putIfAbsent(exchange.id(), now);
            }
        }
        List<Compared> compared = new ArrayList<>();
        var rest = done.entrySet().iterator();
        while (rest.hasNext()) {
            var oldest = rest.next();
            if (done.size() <= EXCHANGES && now - oldest.getValue() < SETTLING + inbound.recordingLag()) {
                break;
            }
            rest.remove();
            compared.add(count(compare(oldest.getKey())));
        }
        return compared;
    }

    /** The latest that were compared, newest first; of one kind, or of all if it is null. */
    public synchronized List<Compared> latest(@Nullable VerdictKind kind, int limit) {
        List<Compared> found = new ArrayList<>();
        for (Compared one : (Iterable<Compared>) latest::descendingIterator) {
            if (found.size() < limit && (kind == null || kind == one.kind())) {
                found.add(one);
            }
        }
        return found;
    }

    /** How many exchanges were compared with this outcome. */
    public synchronized long count(VerdictKind kind) {
        return kinds.getOrDefault(kind, 0L);
    }

    /** How many weren't compared for this reason. */
    public synchronized long count(Uncompared reason) {
        return uncompared.getOrDefault(reason, 0L);
    }

    /** How many differences of this kind were found. */
    public synchronized long count(CallDifference.Kind kind) {
        return differences.getOrDefault(kind, 0L);
    }

    /** Exchanges for which debug was, or may have been, answered by a guess. */
    public synchronized long guessed() {
        return guessed;
    }

    private Compared count(Compared compared) {
        latest.addLast(compared);
        if (latest.size() > LATEST) {
            latest.removeFirst();
        }
        kinds.merge(compared.kind(), 1L, Long::sum);
        guessed += compared.guesses() > 0 ? 1 : 0;
        if (compared.reason() != null) {
            uncompared.merge(compared.reason(), 1L, Long::sum);
        }
        compared.differences().forEach(difference -> differences.merge(difference.kind(), 1L, Long::sum));
        return compared;
    }

    private Compared compare(long id) {
        Inbound exchange = inbound.get(id);
        if (exchange == null) {
            return Compared.not(id, Uncompared.FORGOTTEN, 0, 0, 0);
        }
        TimeSpan served = exchange.debug();
        if (served == null) {
            return Compared.not(id, Uncompared.NOT_SERVED, 0, 0, 0);
        }
        Sides sides = new Sides(exchange, served);
        sides.production.forEach(production::remove);
        sides.debug.stream().filter(sides::isOnlyIts).forEach(debug::remove);
        Uncompared reason = sides.uncompared();
        int made = sides.production.size();
        return reason == null
                ? Compared.of(
                        id,
                        made,
                        sides.debug.size(),
                        CallComparison.of(sides.production, sides.inOrder()),
                        sides.guesses)
                : Compared.not(id, reason, made, sides.debug.size(), sides.guesses);
    }

    /** Which calls are those of one exchange. */
    private final class Sides {
        private final Inbound exchange;
        private final TimeSpan served;
        private final List<ProductionCall> production = new ArrayList<>();
        private final Set<DebugCall> debug = new LinkedHashSet<>();
        private final int guesses;
        private boolean doubt;

        Sides(Inbound exchange, TimeSpan served) {
            this.exchange = exchange;
            this.served = served;
            debug.addAll(OutgoingCalls.this.debug.in(exchange.debugTrace()));
            if (exchange.trace() != null && inbound.in(exchange.trace()) == 1) {
                debug.addAll(OutgoingCalls.this.debug.in(exchange.trace()));
            }
            OutgoingCalls.this.production.begunIn(exchange.production()).forEach(this::look);
            debug.forEach(call -> alongWithTwin(call));
            Set<DebugCall> guessed = new LinkedHashSet<>(debug);
            guessed.addAll(OutgoingCalls.this.debug.askedIn(served));
            guesses = (int) guessed.stream().filter(this::isGuess).count();
            OutgoingCalls.this.debug.askedIn(served).forEach(this::look);
            production.sort(Comparator.comparingLong(ProductionCall::startNanos).thenComparingLong(ProductionCall::id));
        }

        private void look(ProductionCall call) {
            DebugCall taker = OutgoingCalls.this.debug.takerOf(call);
            TraceId trace = call.form().trace();
            int exchanges = trace == null ? 0 : inbound.in(trace);
            boolean own = trace != null && trace.equals(exchange.trace());
            if ((exchanges > 0 && !own) || !exchange.production().contains(call.span())) {
                return;
            }
            if ((exchanges == 1 && own) || inbound.onlyBy(exchange, call.startNanos(), call.endNanos(), trace)) {
                production.add(call);
            } else if (taker == null) {
                doubt = true;
            } else if (debug.contains(taker)) {
                production.add(call);
            }
        }

        private void look(DebugCall call) {
            TraceId trace = call.form().trace();
            if (debug.contains(call) || (trace != null && inbound.maker(trace) != null)) {
                return;
            }
            boolean only = inbound.servedOnly(exchange, call.askedNanos());
            if (call.twin() == null ? only : alongWithTwin(call)) {
                debug.add(call);
            } else if (only || call.twin() == null) {
                doubt = true;
            }
        }

        /**
         * A call that production began for this exchange may have ended after its reply, and is known by who got its
         * reply.
         */
        private boolean alongWithTwin(DebugCall call) {
            ProductionCall twin = call.twin() == null ? null : OutgoingCalls.this.production.of(call.twin());
            if (twin == null || production.contains(twin)) {
                return twin != null;
            }
            TraceId trace = twin.form().trace();
            boolean own = trace != null && trace.equals(exchange.trace());
            TimeSpan begun = new TimeSpan(twin.startNanos(), twin.startNanos());
            boolean late = exchange.production().contains(begun)
                    && !exchange.production().contains(twin.span());
            if (own || late) {
                production.add(twin);
            }
            return own || late;
        }

        /** Whether a call that may be this exchange's got a reply that may be another's. */
        private boolean isGuess(DebugCall call) {
            Long maker = call.form().trace() == null
                    ? null
                    : inbound.maker(call.form().trace());
            return (maker == null || maker == exchange.id())
                    && (call.guessed() || (call.doubtful() && changing.test(call.upstream(), call.form())));
        }

        /** Whether no other exchange can have made a call; by its reply that isn't known of one that was guessed. */
        boolean isOnlyIts(DebugCall call) {
            return !call.doubtful()
                    || (call.form().trace() != null && inbound.maker(call.form().trace()) != null);
        }

        List<DebugCall> inOrder() {
            return debug.stream()
                    .sorted(Comparator.comparingLong(DebugCall::askedNanos).thenComparingLong(DebugCall::number))
                    .toList();
        }

        @Nullable
        Uncompared uncompared() {
            TimeSpan time = exchange.production();
            if (OutgoingCalls.this.production.forgotten(time) || OutgoingCalls.this.debug.forgotten(served)) {
                return Uncompared.FORGOTTEN;
            }
            if (losses.any(new TimeSpan(time.from(), time.to() + RECORDING_LAG))) {
                return Uncompared.NOT_RECORDED;
            }
            if (doubt) {
                return Uncompared.AMBIGUOUS;
            }
            return Math.max(production.size(), debug.size()) > CallComparison.MOST ? Uncompared.TOO_MANY : null;
        }
    }
}
