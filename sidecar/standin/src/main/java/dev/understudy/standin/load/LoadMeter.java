package dev.understudy.standin.load;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Measures a run. Confined to the event loop, but for what says otherwise. */
final class LoadMeter {
    private static final double SECOND = 1e9;
    private static final double MICROS = 1e3;
    private static final double LATE_PERCENTILE = 99;

    private final List<RouteMeter> routes;
    private final Histogram lateness = new Histogram(2);
    private final Map<LoadError, String> examples = new EnumMap<>(LoadError.class);
    private final AtomicLong settled = new AtomicLong();
    private long connections;
    private long startNanos;
    private long lastSent;

    LoadMeter(int routes) {
        this.routes = Stream.generate(RouteMeter::new).limit(routes).toList();
    }

    /** Says when the first request is due, by {@link System#nanoTime}. */
    void startAt(long nanos) {
        startNanos = nanos;
        lastSent = nanos;
    }

    /** How many requests ended. For any thread. */
    long settled() {
        return settled.get();
    }

    /** A request came from the pacing thread, at best when it was due. */
    void came(DueRequest request, long now) {
        lateness.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(request.age(now))));
    }

    void opened() {
        connections++;
    }

    void sent(DueRequest request, long now) {
        routes.get(request.route()).sent++;
        lastSent = now;
    }

    void replied(DueRequest request, int status, long sentNanos, long bodyBytes) {
        routes.get(request.route()).replied(status, request.dueNanos(), sentNanos, System.nanoTime(), bodyBytes);
        settled.incrementAndGet();
    }

    void failed(DueRequest request, LoadError why, String text) {
        routes.get(request.route()).failed(why, request.dueNanos(), System.nanoTime());
        examples.putIfAbsent(why, text);
        settled.incrementAndGet();
    }

    /**
     * What was measured so far.
     *
     * @param over whether the run is; of one that isn't, the rate that is wanted is that of what was due so far
     */
    LoadResult result(LoadPlan plan, RequestBacklog backlog, boolean over) {
        long now = System.nanoTime();
        double passed = Math.max(1, (over ? lastSent : now) - startNanos) / SECOND;
        double seconds = over ? Math.max(passed, plan.options().seconds()) : passed;
        long unfinished = Math.max(0, backlog.accepted() - settled.get());
        double due = (backlog.accepted() + backlog.dropped()) / seconds;
        double wanted = over ? plan.options().perSecond() : due;
        RouteMeter all = new RouteMeter();
        routes.forEach(all::add);
        List<LoadFigures> figures = IntStream.range(0, routes.size())
                .mapToObj(n -> new LoadFigures(
                        plan.route(n),
                        routes.get(n).copy(),
                        wanted * plan.share(n),
                        routes.get(n).sent / seconds,
                        backlog.dropped(n)))
                .toList();
        return new LoadResult(
                new LoadFigures("total", all, wanted, all.sent / seconds, backlog.dropped()),
                figures,
                seconds,
                connections,
                lateness.getTotalCount() == 0 ? 0 : lateness.getValueAtPercentile(LATE_PERCENTILE) / MICROS,
                unfinished,
                examples);
    }
}
