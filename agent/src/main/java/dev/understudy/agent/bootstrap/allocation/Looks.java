package dev.understudy.agent.bootstrap.allocation;

import java.util.concurrent.atomic.LongAdder;

/**
 * When threads of the application may look at objects, and what that took: one look at a time on each, none from within
 * another.
 */
final class Looks {
    private static final ThreadLocal<Boolean> LOOKING = new ThreadLocal<>();
    private static final LongAdder SPENT = new LongAdder();
    private static volatile boolean allowed;

    private Looks() {}

    static void allow(boolean looking) {
        allowed = looking;
    }

    static boolean isAllowed() {
        return allowed;
    }

    /** Whether this thread looks at an object already: what is made or used meanwhile is the agent's doing. */
    static boolean isLooking() {
        return LOOKING.get() != null;
    }

    /** Begins a look on this thread, which {@link #end} ends. */
    static long begin() {
        LOOKING.set(true);
        return System.nanoTime();
    }

    static void end(long begun) {
        LOOKING.remove();
        SPENT.add(System.nanoTime() - begun);
    }

    static long spentNanos() {
        return SPENT.sum();
    }
}
