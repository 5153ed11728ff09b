package dev.understudy.agent.bootstrap;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that its own thread has left to those to whom it was handed: what that thread had observed, until it is over.
 *
 * <p>It ends when its answer was given, or its server has said that it is complete, and none of its parts is being worked on; or
 * when its connection brings the next request. Safe for any threads; never waits.
 */
final class Left implements Pieces.Found {
    private static final long[] NONE = {};

    private final Exchange exchange;
    private final boolean observed;
    private final int epoch;
    private final long startNanos;
    private final long[] own;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** By predicate; for the thread that ends it. */
    private final Map<Integer, Long> found = new LinkedHashMap<>();

    private boolean whole;

    private Left(Exchange exchange, @Nullable Observation place) {
        this.exchange = exchange;
        this.observed = place != null;
        this.own = place == null ? NONE : place.found();
        this.epoch = place == null ? 0 : place.epoch();
        this.startNanos = place == null ? 0 : place.startNanos();
        this.whole = place == null || place.isWhole();
    }

    /** By the exchange's thread, which doesn't observe it from then on. */
    static Left of(Exchange exchange) {
        Observation place = exchange.observation;
        Left left = new Left(exchange, place);
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
        Connection connection = exchange.connection;
        boolean answered = exchange.endIsTold() ? exchange.complete : connection != null && connection.answered;
        if (answered && !exchange.hasParts()) {
            end();
        }
    }

    /** Ends it, whoever may still work on it. */
    void end() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        exchange.ended = true;
        Asynchronous.forget(exchange);
        Connection connection = exchange.connection;
        if (connection != null && connection.left == this) {
            connection.left = null;
        }
        if (!observed) {
            return;
        }
        boolean told = exchange.complete || !exchange.endIsTold();
        takeIn(own, true);
        Pieces pieces = exchange.pieces;
        if (pieces != null) {
            pieces.close(this);
        }
        long[] events = new long[found.size()];
        int count = 0;
        for (long event : found.values()) {
            events[count++] = event;
        }
        Observations.keep(new Observed(
                exchange,
                events,
                whole && told && exchange.whole() && epoch == Gates.epoch(),
                epoch,
                System.nanoTime() - startNanos,
                exchange.escaped));
    }

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
}
