package dev.understudy.agent.bootstrap.allocation;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of watched classes call as they begin: tells of it if the object is one of those that are followed.
 *
 * <p>These stand in a table of a fixed size at a place that their identity tells, four to a bucket. Where a bucket is
 * full, one more isn't followed and nothing is told of it: {@link #full} counts that. Whoever uses an object that isn't
 * followed, as nearly all are, reads the four and goes on; it neither waits, writes nor allocates. The first time that
 * costs as much as making up an identity does, with the object's monitor held also what it takes to inflate that. The
 * table keeps no object alive.
 */
public final class Uses {
    /** Objects that can be followed at a time, if they fell evenly into the buckets. */
    public static final int CAPACITY = 1 << 15;

    private static final int WAYS = 4;
    private static final AtomicReferenceArray<@Nullable Followed> TABLE = new AtomicReferenceArray<>(CAPACITY);
    private static final LongAdder FULL = new LongAdder();

    private Uses() {}

    /** From now on its uses are told of; false if there is no room. */
    public static boolean follow(Followed followed) {
        int first = bucket(followed.hash);
        for (int way = first; way < first + WAYS; way++) {
            Followed one = TABLE.get(way);
            if ((one == null || one.get() == null) && TABLE.compareAndSet(way, one, followed)) {
                return true;
            }
        }
        FULL.increment();
        return false;
    }

    /** Its uses aren't told of any more. */
    public static void unfollow(Followed followed) {
        int first = bucket(followed.hash);
        for (int way = first; way < first + WAYS; way++) {
            if (TABLE.get(way) == followed) {
                TABLE.compareAndSet(way, followed, null);
            }
        }
    }

    /** How many objects weren't followed for want of room. */
    public static long full() {
        return FULL.sum();
    }

    /** A method of the object begins. */
    public static void used(Object object) {
        int hash = System.identityHashCode(object);
        int first = bucket(hash);
        for (int way = first; way < first + WAYS; way++) {
            Followed one = TABLE.getAcquire(way);
            if (one != null && one.hash == hash) {
                look(one, object);
            }
        }
    }

    private static void look(Followed followed, Object object) {
        try {
            if (followed.get() != object || Looks.isLooking()) {
                return;
            }
            if (!Looks.isAllowed()) {
                followed.missed();
                return;
            }
            long begun = Looks.begin();
            try {
                followed.used();
            } finally {
                Looks.end(begun);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    /** Identities have 25 to 31 bits, of which the lower are as good as any. */
    private static int bucket(int hash) {
        return (hash & (CAPACITY / WAYS - 1)) * WAYS;
    }
}
