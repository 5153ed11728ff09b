package dev.understudy.agent.bootstrap.allocation;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the constructors of watched classes call at their end.
 *
 * <p>Each class has a countdown of its own, a plain number that threads may spoil for each other: then an object more
 * or fewer is looked at. Looking at one object doesn't look at those that it makes itself.
 */
public final class Allocations {
    /** How many classes can be watched in a JVM's life: a number isn't given out twice. */
    public static final int CAPACITY = 256;

    /** A cache line for each countdown. */
    private static final int STRIDE = 16;

    private static final int[] LEFT = new int[CAPACITY * STRIDE];
    private static final AtomicReferenceArray<@Nullable Allocation> WATCHED = new AtomicReferenceArray<>(CAPACITY);

    private Allocations() {}

    /** From now on objects with this number are this one's; null for nobody's any more. */
    public static void set(int number, @Nullable Allocation allocation) {
        WATCHED.set(number, allocation);
        LEFT[number * STRIDE] = allocation == null ? Integer.MAX_VALUE : 1;
    }

    /** Whether any may be looked at, and any of their uses. */
    public static void allow(boolean looking) {
        Looks.allow(looking);
    }

    /** What looking has taken since the JVM started, at new objects and at uses, in nanoseconds. */
    public static long spentNanos() {
        return Looks.spentNanos();
    }

    /** An object was made; {@code number} is its class's. */
    public static void made(Object object, int number) {
        int left = LEFT[number * STRIDE] - 1;
        LEFT[number * STRIDE] = left;
        if (left <= 0) {
            look(object, number);
        }
    }

    private static void look(Object object, int number) {
        try {
            Allocation allocation = WATCHED.get(number);
            LEFT[number * STRIDE] = allocation == null ? Integer.MAX_VALUE : allocation.next();
            if (allocation == null || !Looks.isAllowed() || Looks.isLooking()) {
                return;
            }
            long begun = Looks.begin();
            try {
                allocation.made(object);
            } finally {
                Looks.end(begun);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }
}
