package dev.understudy.agent.bootstrap;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that its own thread has left to those to whom it was handed: what that thread had observed, until it is
 * over.
 *
 * <p>It ends when its answer was given, or its server has said that it is complete, and none of its parts is being
 * worked on; or when its connection brings the next request. Safe for any threads; never waits.
 */
final class AsyncExchange {
    private static final long[] NONE = {};
    private static final AtomicIntegerFieldUpdater<AsyncExchange> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(AsyncExchange.class, "ended");

    private final ServedExchange exchange;
    private final boolean observed;
    private final int epoch;
    private final long startNanos;
    private final boolean whole;

    @SuppressWarnings("unused") // by ENDED
    private volatile int ended;

    /**
     * Nothing once it is over: the tables of what was handed over remember exchanges for as long as they have room. For
     * the thread that ends it.
     */
    long[] own;

    private AsyncExchange(ServedExchange exchange, @Nullable Observation place) {
        this.exchange = exchange;
        this.observed = place != null;
        this.own = place == null ? NONE : place.found();
        this.epoch = place == null ? 0 : place.epoch();
        this.startNanos = place == null ? 0 : place.startNanos();
        this.whole = place == null || place.isWhole();
    }

    /** By the exchange's thread, which doesn't observe it from then on. */
    static AsyncExchange of(ServedExchange exchange) {
        Observation place = exchange.observation;
        AsyncExchange left = new AsyncExchange(exchange, place);
        if (place != null) {
            if (exchange.pieces == null) {
                exchange.pieces = new Pieces();
            }
            exchange.observation = null;
            Observations.leave(place, exchange);
        }
        return left;
    }

    /** Ends it if nothing more is to come. */
    void settle() {
        ServedConnection connection = exchange.connection;
        boolean answered = exchange.endIsTold() ? exchange.complete : connection != null && connection.answered;
        if (answered && !exchange.hasParts()) {
            end();
        }
    }

    /** Ends it, whoever may still work on it. */
    void end() {
        if (!ENDED.compareAndSet(this, 0, 1)) {
            return;
        }
        exchange.end();
        Asynchronous.forget(exchange);
        ServedConnection connection = exchange.connection;
        if (connection != null && connection.left == this) {
            connection.left = null;
        }
        if (!observed) {
            return;
        }
        boolean told = exchange.complete || !exchange.endIsTold();
        Gathered gathered = new Gathered();
        gathered.takeIn(own, whole);
        own = NONE;
        Pieces pieces = exchange.pieces;
        if (pieces != null) {
            pieces.close(gathered);
        }
        Observations.keep(new Observed(
                exchange,
                gathered.events(),
                gathered.whole && told && exchange.whole() && epoch == Gates.epoch(),
                epoch,
                System.nanoTime() - startNanos,
                exchange.escaped));
    }

    /** Each predicate once, as it came true first. */
    private static final class Gathered implements Pieces.Found {
        private final Map<Integer, Long> found = new LinkedHashMap<>();
        private boolean whole = true;

        @Override
        public void takeIn(long[] more, boolean all) {
            for (long event : more) {
                found.putIfAbsent((int) event, event);
            }
            whole &= all;
        }

        @Override
        public void miss() {
            whole = false;
        }

        long[] events() {
            long[] events = new long[found.size()];
            int count = 0;
            for (long event : found.values()) {
                events[count++] = event;
            }
            return events;
        }
    }
}
