package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decides which exchanges are observed, and keeps what was observed until it is sent.
 *
 * <p>Threads are grouped by their ids, and of a group one exchange at a time is observed, so that a call finds out with
 * one load whether it may belong to it. An exchange whose group is taken, or for which there is no {@link Observation}
 * left, isn't observed; that doesn't depend on what it does.
 */
public final class Observations {
    static final int CAPACITY = 1024;
    /** So many exchanges are observed at the same time; a place takes a quarter of a megabyte, once it was needed. */
    static final int MOST = 64;
    /**
     * Far more than there are stripes: an exchange may take long, or never end, and others of its group aren't observed
     * meanwhile.
     */
    static final int GROUPS = 256;

    /** So many branches take as much credit as a call. */
    private static final int BRANCHES_OF_A_CALL = 16;

    private static final long MOST_CREDIT = 1 << 24;

    private static final int SPREAD = 16;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Observation[].class);
    /** By group, with room between them: what is going on there, or null. */
    private static final @Nullable Observation[] GOING_ON = new @Nullable Observation[GROUPS * SPREAD];

    private static final AtomicReferenceArray<@Nullable Observation> PLACES = new AtomicReferenceArray<>(MOST);
    private static final ConcurrentLinkedQueue<Observed> QUEUE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SIZE = new AtomicInteger();
    private static final AtomicInteger CREDIT = new AtomicInteger();
    private static final LongAdder TAKEN = new LongAdder();
    private static final LongAdder CALLS = new LongAdder();
    private static final LongAdder BRANCHES = new LongAdder();
    private static final LongAdder END_NANOS = new LongAdder();
    private static final LongAdder DROPPED = new LongAdder();
    private static final LongAdder CROWDED = new LongAdder();
    private static volatile int period;
    private static volatile double callPrice;
    private static volatile double countedShare = 1;
    private static volatile double branchPrice;

    private Observations() {}

    /** What is going on in the group of the thread with that id. */
    static @Nullable Observation on(int thread) {
        return GOING_ON[(thread & (GROUPS - 1)) * SPREAD];
    }

    static @Nullable Observation begin(ServedExchange exchange) {
        int every = period;
        if (every == 0
                || (exchange.traceId() == null && exchange.connection == null)
                || CREDIT.get() <= 0
                || (every > 1 && ThreadLocalRandom.current().nextInt(every) != 0)) {
            return null;
        }
        Observation place = claim();
        if (place != null) {
            place.exchange = exchange;
        }
        return place;
    }

    /** Begins to observe a task for an exchange that is observed; null if that can't be done. */
    static Pieces.@Nullable Piece begin(Pieces pieces) {
        Observation place = claim();
        if (place == null) {
            pieces.miss();
            return null;
        }
        Pieces.Piece piece = pieces.begin(place);
        if (piece == null) {
            vacate(place);
            place.release();
        }
        return piece;
    }

    /** The task has ended. */
    static void end(Pieces.Piece piece) {
        Observation place = piece.place;
        vacate(place);
        place.thread = null;
        charge(place.calls(), place.branches());
        Pieces.end(piece);
    }

    /** Where this thread's exchange is observed, or null if nobody does. */
    static @Nullable Observation ofThisThread() {
        Observation place = on(Threads.id());
        return place != null && place.thread == Thread.currentThread() ? place : null;
    }

    /**
     * What this thread does isn't observed until the returned one has it as its thread again; null if it isn't anyway.
     */
    static @Nullable Observation pause() {
        Observation place = ofThisThread();
        if (place != null) {
            place.thread = null;
        }
        return place;
    }

    private static @Nullable Observation claim() {
        int thread = Threads.id();
        int group = thread & (GROUPS - 1);
        Observation there = on(thread);
        Observation place = there != null && there.isOf(group) ? null : free(thread);
        if (place != null) {
            place.start(group, Gates.epoch());
            if (PLACE.compareAndSet(GOING_ON, group * SPREAD, there, place)) {
                return place;
            }
            place.release();
        }
        CROWDED.increment();
        return null;
    }

    private static @Nullable Observation free(int thread) {
        int first = thread & (Probes.STRIPES - 1);
        for (int i = 0; i < MOST; i++) {
            Observation place = place((first + i) & (MOST - 1));
            if (place.claim()) {
                return place;
            }
        }
        return null;
    }

    private static void vacate(Observation place) {
        PLACE.compareAndSet(GOING_ON, place.group() * SPREAD, place, null);
    }

    private static void charge(int calls, long branches) {
        CREDIT.getAndAdd(-calls - 1 - (int) Math.min(MOST_CREDIT, branches / BRANCHES_OF_A_CALL));
        CALLS.add(calls);
        BRANCHES.add(branches);
    }

    static void end(Observation place, ServedExchange exchange, @Nullable Throwable escaped) {
        long begun = System.nanoTime();
        vacate(place);
        int calls = place.calls();
        long branches = place.branches();
        // ending it comes when most servers have replied
        exchange.overheadNanos += calls * callPrice + branches * branchPrice;
        Observed observed;
        try {
            Pieces pieces = exchange.pieces;
            if (pieces != null) {
                pieces.close(place);
            }
            observed = place.finish(exchange, escaped);
        } finally {
            place.release(); // also of an exchange that can't be ended, or nobody would ever have it again
        }
        charge(calls, branches);
        keep(observed);
        END_NANOS.add(System.nanoTime() - begun);
    }

    /**
     * The thread leaves an exchange that goes on; the place is free for the next, its time and what was found are kept
     * by others.
     */
    static void leave(Observation place, ServedExchange exchange) {
        vacate(place);
        exchange.overheadNanos += place.calls() * callPrice + place.branches() * branchPrice;
        charge(place.calls(), place.branches());
        place.release();
    }

    /** An exchange was observed. */
    static void keep(Observed observed) {
        TAKEN.increment();
        queue(observed);
    }

    private static void queue(Observed observed) {
        if (SIZE.get() >= CAPACITY) {
            DROPPED.increment();
        } else {
            SIZE.incrementAndGet();
            QUEUE.offer(observed);
        }
    }

    /**
     * Keeps what was found so far of each observed exchange that has gone on for at least so long, once of each: it may
     * never end. For one thread, which no request runs on.
     */
    public static void tellOpen(long leastNanos) {
        long now = System.nanoTime();
        for (int i = 0; i < MOST; i++) {
            Observation place = PLACES.get(i);
            ServedExchange open = place == null ? null : place.exchange;
            if (place != null && open != null && open != place.told && now - place.startNanos() >= leastNanos) {
                tellOpen(place, open, now);
            }
        }
    }

    private static void tellOpen(Observation place, ServedExchange open, long now) {
        Observed soFar = open.isAtWork() ? place.soFar(open, now) : null;
        if (soFar != null) {
            place.told = open;
            queue(soFar);
        }
    }

    private static Observation place(int index) {
        Observation known = PLACES.get(index);
        if (known != null) {
            return known;
        }
        Observation fresh = new Observation();
        Observation first = PLACES.compareAndExchange(index, null, fresh);
        return first == null ? fresh : first;
    }

    /**
     * Observes one exchange in {@code every}, none if 0, and begins no more once {@code calls} calls were observed.
     */
    public static void allow(int every, int calls) {
        CREDIT.set(calls);
        period = every;
    }

    /**
     * Sets what observing a call is taken to cost an exchange, in nanoseconds, and only counting one, which is at most
     * as much.
     */
    public static void price(double callNanos, double countedNanos) {
        callPrice = callNanos;
        countedShare = Math.min(1, countedNanos / callNanos);
    }

    /** Of what observing a call costs, the part that only counting one does. */
    static double countedShare() {
        return countedShare;
    }

    /** Sets what telling of a branch is taken to cost an exchange, in nanoseconds. */
    public static void branchPrice(double nanos) {
        branchPrice = nanos;
    }

    /** What telling of a branch is taken to cost, in nanoseconds; 0 while that isn't known. */
    public static double branchPrice() {
        return branchPrice;
    }

    /** One exchange in how many is observed; 0 if none is. */
    public static int period() {
        return period;
    }

    /** The oldest observed exchange not yet taken, or null when there is none. */
    public static @Nullable Observed poll() {
        Observed observed = QUEUE.poll();
        if (observed != null) {
            SIZE.decrementAndGet();
        }
        return observed;
    }

    /** How many exchanges were observed. */
    public static long taken() {
        return TAKEN.sum();
    }

    /** How many calls were observed; one that was only counted is as much of one as it costs. */
    public static long calls() {
        return CALLS.sum();
    }

    /** How many branches were told of in observed exchanges. */
    public static long branches() {
        return BRANCHES.sum();
    }

    /** What ending observations took together, in nanoseconds. */
    public static long endNanos() {
        return END_NANOS.sum();
    }

    /** How many observed exchanges were thrown away because nobody took them. */
    public static long dropped() {
        return DROPPED.sum();
    }

    /** How many exchanges, or parts of observed ones, would have been observed if there had been a place for them. */
    public static long crowded() {
        return CROWDED.sum();
    }

    /** What observing one call costs in nanoseconds, tried on this thread. */
    public static double callNanos() {
        return Observation.callNanos();
    }

    /** What only counting a call costs in nanoseconds, tried on this thread. */
    public static double countedNanos() {
        return Observation.countedNanos();
    }

    /** What telling of one branch costs in nanoseconds, tried on this thread. */
    public static double branchNanos() {
        return Observation.branchNanos();
    }
}
