package dev.understudy.agent.bootstrap;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * For which exchange a thread writes to the aggregator's debug ports, until the agent takes it.
 *
 * <p>The invariant: a note's time is read after the latest note was, and counts only if that is the latest still.
 * {@link #take} leaves a new mark. So what isn't among those taken has a later time, and notes are in the order of
 * their times. Safe for any threads, which never wait; they are taken by one thread.
 */
public final class CallNotes {
    /** How many are kept until they are taken; the others are dropped and counted. */
    public static final int CAPACITY = 1 << 14;

    /** A note that was to be made was lost by a fault; set where nothing can be called. */
    static volatile boolean missed;

    private static final int PORTS = 1 << 16;
    private static final long[] NONE = {};
    private static final AtomicReference<CallNote> LATEST = new AtomicReference<>(new CallNote());

    /** A bit for each port; nothing while no notes are kept. */
    @SuppressWarnings("VolatileArray") // never changed
    private static volatile long[] ports = NONE;

    private static volatile @Nullable Thread waiting;

    private CallNotes() {}

    /** From now on writes to these ports are noted, and to no others. */
    public static void keep(Collection<Integer> debugPorts) {
        long[] bits = debugPorts.isEmpty() ? NONE : new long[PORTS / Long.SIZE];
        for (int port : debugPorts) {
            bits[port / Long.SIZE] |= 1L << port;
        }
        ports = bits;
    }

    static boolean areKept(int port) {
        long[] bits = ports;
        return bits.length > 0 && port > 0 && port < PORTS && (bits[port / Long.SIZE] & 1L << port) != 0;
    }

    /** The running thread, which works on {@code current}, goes to write to that port. */
    static void put(int localPort, int port, @Nullable ServedExchange current) {
        CallNote note = new CallNote(localPort, port, current == null ? null : current.callersTrace());
        CallNote latest;
        do {
            latest = Objects.requireNonNull(LATEST.get());
            note.follow(latest, CAPACITY, System.nanoTime());
        } while (!LATEST.compareAndSet(latest, note));
        Thread taker = waiting;
        if (taker != null) {
            waiting = null;
            LockSupport.unpark(taker);
        }
    }

    /** Takes all that are there: the latest, which leads to those before; a mark if there are none. */
    public static CallNote take() {
        return Objects.requireNonNull(LATEST.getAndSet(new CallNote()));
    }

    /** Whether any were lost by a fault since this was asked last. */
    public static boolean takeMissed() {
        boolean some = missed;
        if (some) {
            missed = false;
        }
        return some;
    }

    /** Waits until there are any, for so long at most. For the thread that takes them. */
    public static void await(long nanos) {
        Thread taker = Thread.currentThread();
        long due = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !taker.isInterrupted(); left = due - System.nanoTime()) {
            waiting = taker; // before looking: whoever comes later sees it
            if (Objects.requireNonNull(LATEST.get()).count() > 0) {
                break;
            }
            LockSupport.parkNanos(CallNotes.class, left);
        }
        waiting = null;
    }
}
