package dev.understudy.aggregator.match;

import dev.understudy.divergence.content.WordFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The inbound exchanges that the sidecar told of: which of them debug is serving, and when production served them.
 *
 * <p>Bounded: those that were told of longest ago are forgotten, and each look goes over a bounded number of them. What
 * is forgotten makes choices less sure, never worse than by order. Safe for all threads: guarded by {@code this}; calls
 * nobody.
 */
public final class InboundExchanges {
    /** How long after production's reply its last upstream call may still be on its way into the journal. */
    static final long RECORDING_LAG = TimeUnit.MILLISECONDS.toNanos(100);

    /** The same where production's trace is known, and the call with it sure to be recorded if it was made. */
    static final long TRACED_LAG = TimeUnit.SECONDS.toNanos(1);

    /** How long a trace may be unknown before it is held to be nobody's. */
    static final long TELLING_LAG = TimeUnit.SECONDS.toNanos(1);

    /** News that take longer are late by a fault, and not waited for by calls that name no trace. */
    private static final long LONGEST_LAG = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * So many traces in a row that nobody told of: the debug JVM begins its own ones, and isn't waited for any more.
     */
    private static final int STRANGERS = 16;

    /** So long after a doubt the next one is expected. */
    private static final long VALUES_WANTED = TimeUnit.SECONDS.toNanos(60);

    /** What debug asks for an exchange may still come when that is over. */
    private static final long SETTLING = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LINK_LOST = TimeUnit.SECONDS.toNanos(10);
    private static final int KEPT = 65_536;
    private static final int LOOKED_AT = 256;
    private static final int ORIGINS = 64;

    private final LongSupplier clock;
    private final LongSupplier recordingLag;
    private final Map<Long, Inbound> byId = new LinkedHashMap<>();
    private final Map<TraceId, Set<Long>> byTrace = new HashMap<>();
    private final Map<TraceId, Long> byDebugTrace = new HashMap<>();
    private final Spans spans = new Spans(Inbound::production);
    private final Spans debugSpans = new Spans(Inbound::debug);
    private final Reruns reruns;
    private final Set<Long> served = new LinkedHashSet<>();
    private PeerClock sidecar = new PeerClock();
    private String run = "";
    private long completeUntil = Long.MAX_VALUE;
    private long toldUntil = Long.MIN_VALUE;
    private long lastDone = Long.MIN_VALUE;
    private int strangers;
    private long lag;
    private long told;

    /** Written under the lock; read without it by those who would find nothing. */
    private volatile boolean ever;

    /** When values of production's replies would have helped last. */
    private volatile @Nullable Long doubted;

    /** @param clock that of the journals */
    public InboundExchanges(LongSupplier clock) {
        this(clock, () -> 0);
    }

    /**
     * @param clock that of the journals
     * @param recordingLag for how many nanoseconds what production does now waits before it is recorded
     */
    public InboundExchanges(LongSupplier clock, LongSupplier recordingLag) {
        this.clock = clock;
        this.recordingLag = recordingLag;
        this.reruns = new Reruns(clock);
    }

    /**
     * The sidecar has told of these, or that there is nothing new.
     *
     * @param lagNanos how long the news took
     */
    public synchronized void told(Collection<Inbound> news, long lagNanos) {
        ever = true;
        told = clock.getAsLong();
        lag = Math.max(lag - lag / 16, Math.min(lagNanos, LONGEST_LAG));
        news.forEach(this::put);
    }

    /** The sidecar has told something, or that there is nothing new. */
    public synchronized void told(News news) {
        if (!news.run().equals(run)) {
            forget();
            run = news.run();
        }
        long now = clock.getAsLong();
        sidecar.heard(news.sent(), news.roundTrip(), news.sameClock(), now);
        List<Inbound> exchanges = new ArrayList<>(news.exchanges().size());
        long took = 0;
        for (News.Told exchange : news.exchanges()) {
            exchanges.add(exchange.at(sidecar.shift(), sidecar.uncertainty()));
            took = Math.max(took, now - sidecar.shift() - exchange.latest());
        }
        completeUntil = sidecar.early(news.completeUntil());
        toldUntil = sidecar.early(news.toldUntil());
        told(exchanges, took);
        news.reruns().forEach(reruns::told);
    }

    /** Another sidecar tells from here on. */
    private void forget() {
        sidecar = new PeerClock();
        completeUntil = Long.MAX_VALUE;
        toldUntil = Long.MIN_VALUE;
        lastDone = Long.MIN_VALUE;
        byId.clear();
        byTrace.clear();
        byDebugTrace.clear();
        spans.clear();
        debugSpans.clear();
        served.clear();
        reruns.forget();
    }

    /** Those that the debug JVM is sent once more. */
    public Reruns reruns() {
        return reruns;
    }

    /** Whether a sidecar tells what is served. */
    public boolean linked() {
        return ever && heardLately();
    }

    private synchronized boolean heardLately() {
        return clock.getAsLong() - told < LINK_LOST;
    }

    /** A reply couldn't be chosen for sure: the values of production's replies might help with the next ones. */
    public void doubted() {
        doubted = clock.getAsLong();
    }

    /** Whether the values of production's replies are of use. */
    public boolean wantsValues() {
        Long last = doubted;
        return last != null && clock.getAsLong() - last < VALUES_WANTED;
    }

    /** Exchanges that are remembered. */
    public synchronized int known() {
        return byId.size();
    }

    /** Exchanges that debug is serving now. */
    public synchronized int serving() {
        return served.size();
    }

    /** Where the twin of a call is to be looked for. */
    public SearchScope outlook(UpstreamCall call) {
        return ever ? linkedOutlook(call) : SearchScope.of(call);
    }

    private synchronized SearchScope linkedOutlook(UpstreamCall call) {
        if (!linked()) {
            return SearchScope.of(call);
        }
        TraceId trace = call.trace();
        if (trace != null) {
            List<Inbound> origins = origins(trace);
            if (!origins.isEmpty()) {
                strangers = 0;
                return outlook(common(origins), origins, true, SearchScope.ALREADY);
            }
        }
        return outlook(trace, servedAt(call.nanos()), false, toldBy(call));
    }

    /** What debug was given before a call may have made it; all of that may have been told already. */
    private long toldBy(UpstreamCall call) {
        if (toldUntil >= call.nanos()) {
            return SearchScope.ALREADY;
        }
        TraceId trace = call.trace();
        long toldBy = call.nanos() + 2 * lag + TimeUnit.MILLISECONDS.toNanos(1);
        if (trace != null && strangers <= STRANGERS) {
            toldBy = call.nanos() + TELLING_LAG;
            strangers += clock.getAsLong() - toldBy >= 0 ? 1 : 0;
        }
        return toldBy;
    }

    /** Whether a call of production was made for other inbound exchanges than these, going by its trace. */
    public synchronized boolean others(@Nullable TraceId recorded, SearchScope outlook) {
        return foreign(recorded, outlook, false);
    }

    /** The same, and debug isn't done with all of those. */
    public synchronized boolean foreign(@Nullable TraceId recorded, SearchScope outlook) {
        return foreign(recorded, outlook, true);
    }

    private boolean foreign(@Nullable TraceId recorded, SearchScope outlook, boolean unfinished) {
        if (recorded == null || recorded.equals(outlook.wanted())) {
            return false;
        }
        Set<Long> owners = byTrace.getOrDefault(recorded, Set.of());
        boolean open = false;
        int looks = 0;
        for (Long id : owners) {
            Inbound owner = byId.get(id);
            if (outlook.origins().stream().anyMatch(origin -> origin.id() == id)) {
                return false;
            }
            open |= owner != null && (!unfinished || owner.done() == null);
            if (++looks == LOOKED_AT) {
                break;
            }
        }
        return open;
    }

    /** For how many nanoseconds what production does now waits before it is recorded; not guarded. */
    public long recordingLag() {
        return recordingLag.getAsLong();
    }

    /**
     * Whether no inbound exchange but this one can have made a call in production that lasted so and named this trace.
     */
    public synchronized boolean onlyBy(Inbound origin, long start, long end, @Nullable TraceId recorded) {
        boolean own = recorded != null && recorded.equals(origin.trace());
        return (own || start < completeUntil)
                && !spans.anyAround(start, end, LOOKED_AT, other -> {
                    boolean same = recorded == null || recorded.equals(other.trace());
                    return other.id() != origin.id() && (same || (!own && other.trace() == null));
                });
    }

    /**
     * Whether production's reply to another inbound exchange, which it served all that time, shows such values; true if
     * there are too many to say.
     */
    public synchronized boolean anyShowing(Inbound origin, TimeSpan time, Predicate<WordFilter> showing) {
        return spans.anyAround(time.from(), time.to(), LOOKED_AT, other -> {
            WordFilter shown = other.shown();
            return other.id() != origin.id() && shown != null && showing.test(shown);
        });
    }

    /** Inbound exchanges that debug is serving and that production served all of that time. */
    public synchronized List<Long> servedAlike(long nanos, TimeSpan production) {
        return servedAt(nanos).stream()
                .filter(inbound -> inbound.production().contains(production))
                .map(Inbound::id)
                .toList();
    }

    /** The exchange that was run again when a call came that names none, if debug served nothing else; null if not. */
    public synchronized Reruns.@Nullable Rerun rerunAt(long nanos) {
        boolean isAlone = servedAt(nanos).isEmpty() && lastDone <= nanos - SETTLING;
        return toldUntil >= nanos && isAlone ? reruns.at(nanos) : null;
    }

    /** Whether more has to be told to know that. */
    public synchronized boolean mayBeRerunAt(long nanos) {
        return toldUntil < nanos && reruns.at(nanos) != null;
    }

    /** Whether debug was serving no other inbound exchange than this one then. */
    public synchronized boolean servedOnly(Inbound exchange, long nanos) {
        return !debugSpans.anyAround(nanos, nanos, LOOKED_AT, other -> other.id() != exchange.id());
    }

    /**
     * The number of the inbound exchange for which debug makes its calls in this trace; null if that isn't known, or
     * several.
     */
    public synchronized @Nullable Long maker(TraceId trace) {
        Long debug = byDebugTrace.get(trace);
        Set<Long> all = byTrace.getOrDefault(trace, Set.of());
        return debug == null && all.size() == 1 ? Long.valueOf(all.iterator().next()) : debug;
    }

    /** What is known of an inbound exchange; null if it was never told of, or is forgotten. */
    public synchronized @Nullable Inbound get(long id) {
        return byId.get(id);
    }

    /** How many inbound exchanges came in this trace. */
    public synchronized int in(TraceId trace) {
        return byTrace.getOrDefault(trace, Set.of()).size();
    }

    /** Production turned out to make its calls for this exchange in this trace. */
    public synchronized void learn(Inbound origin, TraceId trace) {
        Inbound known = byId.get(origin.id());
        if (known != null && known.trace() == null) {
            put(known.within(trace));
        }
    }

    private List<Inbound> origins(TraceId trace) {
        Long debug = byDebugTrace.get(trace);
        if (debug != null) {
            return at(Set.of(debug));
        }
        List<Inbound> all = at(byTrace.getOrDefault(trace, Set.of()));
        List<Inbound> now = all.stream().filter(Inbound::served).toList();
        return now.isEmpty() ? all : now;
    }

    private List<Inbound> servedAt(long nanos) {
        return at(served).stream()
                .filter(inbound -> inbound.handed() != null && inbound.handed() <= nanos)
                .toList();
    }

    private List<Inbound> at(Set<Long> ids) {
        List<Inbound> found = new ArrayList<>(Math.min(ids.size(), ORIGINS));
        for (Long id : ids) {
            Inbound inbound = byId.get(id);
            if (inbound != null) {
                found.add(inbound);
            }
            if (found.size() == ORIGINS) {
                break;
            }
        }
        return found;
    }

    private SearchScope outlook(@Nullable TraceId wanted, List<Inbound> origins, boolean exact, long toldBy) {
        long recordedBy = SearchScope.ALREADY;
        long recording = (exact && wanted != null ? TRACED_LAG : RECORDING_LAG) + recordingLag();
        for (Inbound origin : origins) {
            long by = origin.open() ? Long.MAX_VALUE : origin.production().to() + recording;
            recordedBy = Math.max(recordedBy, by);
        }
        return new SearchScope(wanted, List.copyOf(origins), exact, toldBy, recordedBy);
    }

    /** The trace that all of them came in; null if it isn't one, or isn't known. */
    private static @Nullable TraceId common(List<Inbound> origins) {
        TraceId first = origins.get(0).trace();
        boolean same = origins.stream().allMatch(origin -> Objects.equals(origin.trace(), first));
        return same ? first : null;
    }

    private void put(Inbound inbound) {
        Inbound before = byId.remove(inbound.id());
        Inbound now = inbound;
        if (before != null) {
            drop(before);
            now = inbound.trace() == null && before.trace() != null ? inbound.within(before.trace()) : inbound;
            now = now.showing(now.shown() == null ? before.shown() : now.shown());
        }
        byId.put(now.id(), now);
        spans.add(now);
        debugSpans.add(now);
        if (now.trace() != null) {
            byTrace.computeIfAbsent(now.trace(), t -> new LinkedHashSet<>(2)).add(now.id());
        }
        if (now.debugTrace() != null) {
            byDebugTrace.put(now.debugTrace(), now.id());
        }
        if (now.served()) {
            served.add(now.id());
        }
        if (now.handed() != null && now.done() != null) {
            lastDone = Math.max(lastDone, now.done());
        }
        if (byId.size() > KEPT) {
            Long oldest = byId.keySet().iterator().next();
            drop(byId.remove(oldest));
        }
    }

    private void drop(@Nullable Inbound gone) {
        if (gone == null) {
            return;
        }
        spans.remove(gone);
        debugSpans.remove(gone);
        served.remove(gone.id());
        if (gone.debugTrace() != null) {
            byDebugTrace.remove(gone.debugTrace());
        }
        TraceId trace = gone.trace();
        Set<Long> ofTrace = trace == null ? null : byTrace.get(trace);
        if (ofTrace != null) {
            ofTrace.remove(gone.id());
            if (ofTrace.isEmpty()) {
                byTrace.remove(trace);
            }
        }
    }
}
