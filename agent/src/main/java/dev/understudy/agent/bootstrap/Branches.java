package dev.understudy.agent.bootstrap;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a woven jump calls just before it: counts that it was passed, and in an observed exchange tells which way it
 * goes.
 *
 * <p>Each method takes what its jump is about to take off the stack, and the jump's number. Counters may lose passes
 * when two threads of one stripe meet. The arrays are made with the first class whose branches are woven.
 */
public final class Branches {
    /** How many numbers there are, those of {@link Values} among them; 0 is nobody's. */
    public static final int CAPACITY = 1 << 15;

    private static final int PASSES = 10;
    private static final int TRIES = 50_000;
    private static final int OWN = 0;

    private static final int[] PASSED = new int[Probes.STRIPES * CAPACITY];
    private static final AtomicReferenceArray<@Nullable Ways> SWITCHES = new AtomicReferenceArray<>(CAPACITY);

    private Branches() {}

    /** Before {@code ifeq}. */
    public static void eq(int value, int branch) {
        pass(value == 0, branch);
    }

    /** Before {@code ifne}. */
    public static void ne(int value, int branch) {
        pass(value != 0, branch);
    }

    /** Before {@code iflt}. */
    public static void lt(int value, int branch) {
        pass(value < 0, branch);
    }

    /** Before {@code ifge}. */
    public static void ge(int value, int branch) {
        pass(value >= 0, branch);
    }

    /** Before {@code ifgt}. */
    public static void gt(int value, int branch) {
        pass(value > 0, branch);
    }

    /** Before {@code ifle}. */
    public static void le(int value, int branch) {
        pass(value <= 0, branch);
    }

    /** Before {@code if_icmpeq}. */
    public static void eq(int left, int right, int branch) {
        pass(left == right, branch);
    }

    /** Before {@code if_icmpne}. */
    public static void ne(int left, int right, int branch) {
        pass(left != right, branch);
    }

    /** Before {@code if_icmplt}. */
    public static void lt(int left, int right, int branch) {
        pass(left < right, branch);
    }

    /** Before {@code if_icmpge}. */
    public static void ge(int left, int right, int branch) {
        pass(left >= right, branch);
    }

    /** Before {@code if_icmpgt}. */
    public static void gt(int left, int right, int branch) {
        pass(left > right, branch);
    }

    /** Before {@code if_icmple}. */
    public static void le(int left, int right, int branch) {
        pass(left <= right, branch);
    }

    /** Before {@code if_acmpeq}. */
    @SuppressWarnings("ReferenceEquality") // that is what the jump asks
    public static void eq(@Nullable Object left, @Nullable Object right, int branch) {
        pass(left == right, branch);
    }

    /** Before {@code if_acmpne}. */
    @SuppressWarnings("ReferenceEquality") // that is what the jump asks
    public static void ne(@Nullable Object left, @Nullable Object right, int branch) {
        pass(left != right, branch);
    }

    /** Before {@code ifnull}. */
    public static void eq(@Nullable Object value, int branch) {
        pass(value == null, branch);
    }

    /** Before {@code ifnonnull}. */
    public static void ne(@Nullable Object value, int branch) {
        pass(value != null, branch);
    }

    /** Before a switch; each of its ways has a number of its own, known since {@link #ways}. */
    public static void choose(int key, int branch) {
        Ways ways = SWITCHES.get(branch);
        pass(true, ways == null ? OWN : ways.of(key));
    }

    /**
     * Says which way a switch goes.
     *
     * @param branch the switch's number, which is that of its first way
     * @param keys ascending
     * @param ways the number of each key's way
     * @param otherwise the number of the way for other keys
     */
    public static void ways(int branch, int[] keys, int[] ways, int otherwise) {
        SWITCHES.set(branch, new Ways(keys, ways, otherwise));
    }

    /** The low 32 bits of how often the jump was passed. */
    public static int passed(int branch) {
        int passed = 0;
        for (int cell = branch; cell < PASSED.length; cell += CAPACITY) {
            passed += PASSED[cell];
        }
        return passed;
    }

    private static void pass(boolean jumps, int branch) {
        Observation observation = pass(branch);
        if (observation != null) {
            observation.branch(branch, jumps);
        }
    }

    /** Counts a pass; where to tell of it, or null if nobody observes this thread's exchange. */
    static @Nullable Observation pass(int number) {
        int thread = Threads.id();
        PASSED[Probes.stripe(thread) * CAPACITY + number]++;
        Observation observation = Observations.on(thread);
        return observation != null && observation.thread == Thread.currentThread() ? observation : null;
    }

    /** What passing a jump costs while no exchange is observed, in nanoseconds, tried on this thread. */
    public static double passNanos() {
        long least = Long.MAX_VALUE;
        for (int trial = 0; trial < PASSES; trial++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIES; i++) {
                lt(i, trial, OWN);
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        return (double) least / TRIES;
    }

    /** Where the keys of one switch lead. Immutable. */
    private static final class Ways {
        private final int[] keys;
        private final int[] ways;
        private final int otherwise;

        Ways(int[] keys, int[] ways, int otherwise) {
            this.keys = keys;
            this.ways = ways;
            this.otherwise = otherwise;
        }

        int of(int key) {
            int at = Arrays.binarySearch(keys, key);
            return at < 0 ? otherwise : ways[at];
        }
    }
}
