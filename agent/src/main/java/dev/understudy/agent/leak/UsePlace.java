package dev.understudy.agent.leak;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A place at which objects of one class are used, as far as the application's methods on the stack outside of the
 * object tell it.
 *
 * <p>One that comes by all of them in a row, as what writes or looks over whatever there is, is no object's last use:
 * it comes again.
 */
final class UsePlace {
    /** Of fewer objects, all are used for good reasons. */
    static final int FEWEST = 16;

    private final List<String> methods;
    private final List<String> stack;
    private final AtomicLong sampled = new AtomicLong();
    private long thread;
    private long lastNanos;
    private int row;
    private int longestRow;
    private boolean visitsAll;

    /**
     * No object was used there yet.
     *
     * @param methods the application's, the nearest first
     * @param stack of the first use, as far as it is told
     */
    UsePlace(List<String> methods, List<String> stack) {
        this.methods = methods;
        this.stack = stack;
    }

    /** Another object is used there, which it wasn't before. */
    void oneMore() {
        sampled.incrementAndGet();
    }

    /** An object that is old is used, by that thread. Threads may spoil this for each other. */
    void visited(long threadId, long nanos) {
        row = threadId == thread && nanos - lastNanos < 10 * Sampled.RUN_NANOS ? row + 1 : 1;
        thread = threadId;
        lastNanos = nanos;
        longestRow = Math.max(longestRow, row);
    }

    /**
     * The objects were just counted.
     *
     * @param used old ones that were used there since the count before
     * @param all old ones
     */
    void counted(int used, int all) {
        visitsAll |= all >= FEWEST && 2 * used > all && 2 * longestRow > all;
        longestRow = 0;
    }

    /** Whether it comes by all objects, whichever they are. */
    boolean visitsAll() {
        return visitsAll;
    }

    /**
     * What is told of it.
     *
     * @param staying objects that stay and were used there last
     * @param part of all objects of the class that stay
     */
    UseSite site(long staying, double part) {
        return new UseSite(methods, stack, Math.max(staying, sampled.get()), staying, part);
    }
}
