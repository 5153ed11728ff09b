package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which exchanges are being served at this moment, for those who look at what their threads do.
 *
 * <p>A thread's exchange stands at one of a few places that follow from the thread's id; where all of them are taken it
 * isn't seen. Nothing is written down before somebody wants to look. Safe for any threads; never waits.
 */
public final class Serving {
    /** How many exchanges can be seen at a time. */
    public static final int PLACES = 1024;

    private static final int TRIES = 4;
    private static final AtomicReferenceArray<@Nullable ServedExchange> AT = new AtomicReferenceArray<>(PLACES);
    private static volatile boolean watched;

    private Serving() {}

    /** From now on somebody looks. */
    public static void watch() {
        watched = true;
    }

    /** The thread begins to serve it. */
    static void begun(ServedExchange exchange) {
        if (!watched) {
            return;
        }
        Thread thread = Thread.currentThread();
        long id = Threads.id(thread);
        exchange.threadId = id;
        exchange.thread = thread;
        ServedExchange outer = exchange.outer;
        if (outer != null && outer.place >= 0) {
            exchange.place = outer.place;
            AT.set(outer.place, exchange);
            return;
        }
        int first = (int) ((id * 0x9E3779B97F4A7C15L) >>> 32);
        for (int i = 0; i < TRIES; i++) {
            int place = (first + i) & (PLACES - 1);
            if (AT.get(place) == null && AT.compareAndSet(place, null, exchange)) {
                exchange.place = place;
                return;
            }
        }
    }

    /** The thread has served it; what it served before goes on. */
    static void ended(ServedExchange exchange) {
        if (exchange.place >= 0) {
            AT.compareAndSet(exchange.place, exchange, exchange.outer);
        }
        exchange.thread = null;
    }

    /**
     * Puts the exchanges that are being served into {@code found}, beginning with the place {@code first}; how many is
     * returned.
     */
    public static int now(@Nullable ServedExchange[] found, int first) {
        int count = 0;
        for (int i = 0; i < PLACES && count < found.length; i++) {
            int place = (first + i) & (PLACES - 1);
            ServedExchange exchange = AT.get(place);
            if (exchange == null) {
                continue;
            }
            Thread thread = exchange.thread;
            if (thread == null || !thread.isAlive()) {
                AT.compareAndSet(place, exchange, null); // its thread ended without ending it
            } else if (exchange.isAtWork()) {
                found[count++] = exchange;
            }
        }
        return count;
    }

    /** Whether it is still being served by the thread that it was found with. */
    public static boolean isServed(ServedExchange exchange) {
        return exchange.place >= 0 && AT.get(exchange.place) == exchange && exchange.isAtWork();
    }
}
