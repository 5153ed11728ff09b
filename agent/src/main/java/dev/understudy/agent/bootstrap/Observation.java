package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.lock.HeldLocks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place where one exchange at a time is observed: which predicates held, in the order in which they came true.
 *
 * <p>Used again for the next exchange, with everything it needs allocated before. Confined to the thread that has
 * claimed it; other threads of its group only look whether it is theirs, and {@link Pieces} may read what was found.
 */
final class Observation implements Pieces.Found, HeldLocks.Times {
    static final int DEPTH = 256;
    static final int MOST_EVENTS = 8192;
    static final int MOST_CALLS = 50_000;
    /** So many calls of a method, or objects at one place, are looked at in one exchange; the rest is only counted. */
    static final int CALLS_OF_ONE = 64;

    private static final int PASSES = 10;
    private static final int TRIES = 200;
    /** Events are written before their count is, for those who read them on another thread. */
    private static final VarHandle COUNT = field("count");
    /** A frame is written before it is counted, as {@link #COUNT}. */
    private static final VarHandle OPEN = field("depth");

    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();
    /** Those that its thread holds. */
    final HeldLocks locks = new HeldLocks(this);

    @Nullable
    Thread thread;

    /** Whose it is until that ends; null as long as it is nobody's, or a piece's. */
    volatile @Nullable ServedExchange exchange;
    /** The exchange that was told of before it ended. Confined to the thread that tells. */
    @Nullable
    ServedExchange told;

    private final Frame[] frames = new Frame[DEPTH];
    private final short[] masks = new short[ObservedPredicate.BRANCHES + Branches.CAPACITY];
    private final byte[] looked = new byte[ObservedPredicate.BRANCHES + Branches.CAPACITY];
    /** What came true; in the upper half of a first call, the number of the probe around it, and one more. */
    private final long[] events = new long[MOST_EVENTS];

    private volatile int group;
    private int count;
    private int depth;
    private int calls;
    private long counted;
    private long branches;
    private int epoch;
    private long startNanos;
    private volatile boolean whole;

    Observation() {
        for (int i = 0; i < DEPTH; i++) {
            frames[i] = new Frame(this, i);
        }
    }

    /**
     * Makes it this thread's, unless it is another's; one whose thread has ended in the midst of its exchange is
     * anybody's again.
     */
    boolean claim() {
        Thread me = Thread.currentThread();
        if (owner.compareAndSet(null, me)) {
            return true;
        }
        Thread before = owner.get();
        ServedExchange left = exchange;
        if (before == null || left == null || before.isAlive() || !owner.compareAndSet(before, me)) {
            return false;
        }
        left.observation = null;
        exchange = null; // as in finish
        clear();
        return true;
    }

    /** It is anybody's. */
    void free() {
        owner.set(null);
    }

    /** Whether somebody's exchange of that group is observed here, or was until a moment ago. For any thread. */
    boolean isOf(int asked) {
        Thread whose = owner.get();
        return group == asked && whose != null && whose.isAlive();
    }

    int group() {
        return group;
    }

    /** The thread that has claimed it begins, as one of that group. */
    void start(int itsGroup, int gatesEpoch) {
        group = itsGroup;
        epoch = gatesEpoch;
        whole = true;
        thread = Thread.currentThread();
        startNanos = System.nanoTime();
    }

    /** A call begins; the frame for its exit, or {@code sample} if it isn't looked at. */
    @Nullable
    Object enter(int probe, @Nullable CallSample sample) {
        if (looked[probe] >= CALLS_OF_ONE) {
            counted++;
            return sample;
        }
        calls++;
        if (calls > MOST_CALLS || depth == DEPTH || count > MOST_EVENTS - ObservedPredicate.KINDS) {
            whole = false;
            return sample;
        }
        looked[probe]++;
        held(probe, 1 << ObservedPredicate.CALLED, depth == 0 ? 0 : frames[depth - 1].probe + 1);
        Frame frame = frames[depth];
        frame.probe = probe;
        frame.sample = sample;
        frame.insideNanos = 0;
        frame.startNanos = System.nanoTime();
        OPEN.setRelease(this, depth + 1);
        return frame;
    }

    /** A call ends; false if the frame was given up before, since a call around it ended first. */
    boolean exit(Frame frame, int mask) {
        long took = System.nanoTime() - frame.startNanos;
        frame.sample = null;
        if (frame.index >= depth) {
            return false;
        }
        if (frame.index > 0) {
            frames[frame.index - 1].insideNanos += took;
        }
        OPEN.setRelease(this, frame.index);
        locks.exits(frame.index, frame.startNanos);
        held(frame.probe, mask | TypicalDuration.judge(frame.probe, took - frame.insideNanos));
        return true;
    }

    /** A branch goes one way. */
    void branch(int branch, boolean jumps) {
        branches++;
        held(
                ObservedPredicate.BRANCHES + branch,
                jumps ? 1 << ObservedPredicate.JUMPED : 1 << ObservedPredicate.WENT_ON);
    }

    /** Whether one more object at that place is to be looked at. */
    boolean looksAt(int number) {
        return looked[ObservedPredicate.BRANCHES + number] < CALLS_OF_ONE;
    }

    /** So much holds of a value, and finding out has cost as much as so many branches. */
    void value(int number, int mask, int cost) {
        branches += cost;
        if (count <= MOST_EVENTS - ObservedPredicate.KINDS) {
            if (looksAt(number)) {
                looked[ObservedPredicate.BRANCHES + number]++;
            }
            held(ObservedPredicate.BRANCHES + number, mask);
        }
    }

    @Override
    public void heldFor(int place, long nanos) {
        value(place, Locks.held(nanos), Locks.COSTS);
    }

    /** Finding something out has cost as much as so many branches. */
    void cost(int cost) {
        branches += cost;
    }

    /** As how many calls that are looked at all of them have cost. */
    int calls() {
        return (int) Math.min(Integer.MAX_VALUE, calls + Math.round(counted * Observations.countedShare()));
    }

    /** How many calls are open. */
    int depth() {
        return depth;
    }

    long branches() {
        return branches;
    }

    private void held(int number, int mask) {
        held(number, mask, 0);
    }

    private void held(int number, int mask, int around) {
        int fresh = mask & ~masks[number];
        if (fresh != 0 && count <= MOST_EVENTS - ObservedPredicate.KINDS) {
            masks[number] |= (short) fresh;
            int last = count;
            for (int kind = 0; fresh != 0; kind++, fresh >>>= 1) {
                if ((fresh & 1) != 0) {
                    events[last++] = (long) around << Integer.SIZE | (number * ObservedPredicate.KINDS + kind);
                }
            }
            COUNT.setRelease(this, last);
        }
    }

    /** What was found so far, for any thread that knows that the place isn't given to another exchange meanwhile. */
    long[] found() {
        return Arrays.copyOf(events, (int) COUNT.getAcquire(this));
    }

    /** Whether nothing was left out so far; for any thread, as {@link #found}. */
    boolean isWhole() {
        return whole;
    }

    /**
     * What was found so far of the exchange that goes on here, and of its open calls which have taken far longer than
     * is usual; null if it has ended meanwhile. For any thread.
     */
    @Nullable
    Observed soFar(ServedExchange open, long now) {
        LinkedHashSet<Long> all = new LinkedHashSet<>();
        for (long event : found()) {
            all.add(event);
        }
        long inner = now;
        for (int i = (int) OPEN.getAcquire(this) - 1; i >= 0; i--) {
            Frame frame = frames[i];
            if (TypicalDuration.isExceeded(frame.probe, inner - frame.startNanos - frame.insideNanos)) {
                all.add((long) frame.probe * ObservedPredicate.KINDS + ObservedPredicate.SLOW);
            }
            inner = frame.startNanos;
        }
        Observed observed = new Observed(
                open,
                all.stream().mapToLong(Long::longValue).toArray(),
                whole && !open.resumed && open.pieces == null && epoch == Gates.epoch(),
                epoch,
                now - startNanos);
        VarHandle.acquireFence();
        return exchange == open ? observed : null;
    }

    @Override
    public void miss() {
        whole = false;
    }

    @Override
    public void takeIn(long[] found, boolean all) {
        for (long event : found) {
            held((int) event / ObservedPredicate.KINDS, 1 << (int) event % ObservedPredicate.KINDS, (int)
                    (event >>> Integer.SIZE));
        }
        whole &= all && count <= MOST_EVENTS - ObservedPredicate.KINDS;
    }

    /** What was observed; the place is as good as new then. */
    Observed finish(ServedExchange ending, @Nullable Throwable escaped) {
        Observed observed = new Observed(
                ending,
                Arrays.copyOf(events, count),
                whole && ending.whole() && epoch == Gates.epoch(),
                epoch,
                System.nanoTime() - startNanos,
                escaped);
        exchange = null; // before anything is cleared, for those who read on another thread
        clear();
        return observed;
    }

    int epoch() {
        return epoch;
    }

    long startNanos() {
        return startNanos;
    }

    /** As good as new, and anybody's. */
    void release() {
        exchange = null; // as in finish
        clear();
        free();
    }

    private void clear() {
        for (int i = 0; i < count; i++) {
            int number = (int) events[i] / ObservedPredicate.KINDS;
            masks[number] = 0;
            looked[number] = 0;
        }
        count = 0;
        depth = 0;
        calls = 0;
        counted = 0;
        branches = 0;
        locks.clear();
        thread = null;
    }

    /** What it costs to observe one call, in nanoseconds, tried on this thread with nobody's probe. */
    static double callNanos() {
        Observation trial = new Observation();
        long least = Long.MAX_VALUE;
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIES; i++) {
                for (int j = 0; j < CALLS_OF_ONE; j++) {
                    Object frame = trial.enter(0, null);
                    if (frame instanceof Frame) {
                        trial.exit((Frame) frame, 1 << ObservedPredicate.NOT_NULL);
                    }
                }
                trial.clear();
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        return (double) least / (TRIES * CALLS_OF_ONE);
    }

    /** What it costs to only count one call, in nanoseconds, tried on this thread with nobody's probe. */
    static double countedNanos() {
        Observation trial = new Observation();
        for (int i = 0; i < CALLS_OF_ONE; i++) {
            trial.enter(0, null);
            trial.depth = 0;
        }
        long least = Long.MAX_VALUE;
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIES * CALLS_OF_ONE; i++) {
                trial.enter(0, null);
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        return (double) least / (TRIES * CALLS_OF_ONE);
    }

    /** What it costs to tell of one branch, in nanoseconds, tried on this thread with nobody's number. */
    static double branchNanos() {
        Observation trial = new Observation();
        long least = Long.MAX_VALUE;
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIES * CALLS_OF_ONE; i++) {
                trial.branch(0, i % 3 == 0);
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        return (double) least / (TRIES * CALLS_OF_ONE);
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(Observation.class, name, int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("Observation." + name, impossible);
        }
    }

    /** One open call. */
    static final class Frame {
        final Observation observation;
        final int index;

        @Nullable
        CallSample sample;

        private int probe;
        private long startNanos;
        private long insideNanos;

        Frame(Observation observation, int index) {
            this.observation = observation;
            this.index = index;
        }

        /** When the call began, by {@link System#nanoTime}. */
        long startNanos() {
            return startNanos;
        }
    }
}
