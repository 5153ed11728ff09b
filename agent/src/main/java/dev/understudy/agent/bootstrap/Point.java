package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A place in woven code at which values are looked at; the agent says what is done with them. For any threads. */
public abstract class Point {
    final int values;
    final boolean ofField;
    final LongAdder passed = new LongAdder();
    final LongAdder skipped = new LongAdder();

    /**
     * @param values how many the place has
     * @param ofField whether a field is watched there, which has an allowance of its own
     */
    protected Point(int values, boolean ofField) {
        this.values = values;
        this.ofField = ofField;
    }

    /** Whether the values are wanted now; asked before they are collected. Doesn't wait. */
    protected abstract boolean isDue();

    /**
     * Looks at the values, on the thread that passes the place, and doesn't wait. What is thrown is a fault of ours.
     *
     * @param seen the values; {@link Points#ABSENT} for those that aren't there
     * @param exchange that the thread works on, or null
     */
    protected abstract void pass(@Nullable Object[] seen, @Nullable ServedExchange exchange);

    /** How often the place was passed. */
    public final long passed() {
        return passed.sum();
    }

    /** How often it was passed when looking was too dear. */
    public final long skipped() {
        return skipped.sum();
    }
}
