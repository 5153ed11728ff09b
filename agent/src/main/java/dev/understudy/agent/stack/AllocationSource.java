package dev.understudy.agent.stack;

import dev.understudy.agent.export.Stderr;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Has the JVM's flight recorder sample allocations, and none while that is too much for the budget.
 *
 * <p>Recordings are read on the agent's thread that runs this, so that it pays for it. {@link #run} returns when its
 * thread is interrupted.
 */
abstract class AllocationSource implements Runnable {
    private static final long IDLE_NANOS = 250_000_000L;

    private final BooleanSupplier paused;
    private final AllocatedStacks allocated = new AllocatedStacks();
    private volatile int perSecond;
    private volatile int sampled;
    private volatile boolean failed;

    /**
     * One that has taken none yet.
     *
     * @param perSecond so many at most; 0 for none
     * @param paused whether there is no budget now
     */
    AllocationSource(int perSecond, BooleanSupplier paused) {
        this.perSecond = perSecond;
        this.sampled = perSecond;
        this.paused = paused;
    }

    /** The one for this JVM. */
    static AllocationSource of(int perSecond, BooleanSupplier paused) {
        return AllocationStream.isSupported()
                ? new AllocationStream(perSecond, paused)
                : new AllocationSlices(perSecond, paused);
    }

    /** Whether this JVM has a flight recorder. */
    static boolean isPossible() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    /** From the next second on so many at most; 0 for none. */
    void limit(int most) {
        perSecond = most;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            int most = perSecond;
            if (isOver(most)) {
                LockSupport.parkNanos(IDLE_NANOS);
                continue;
            }
            try {
                sampled = most;
                sample(most, allocated);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError problem) {
                failed = true;
                Stderr.line("allocations aren't sampled: " + problem);
                return;
            }
        }
    }

    /** Samples until {@link #isOver}, or its thread is interrupted. */
    abstract void sample(int most, AllocatedStacks into) throws ReflectiveOperationException;

    /** To be called by another thread once a second; what was sampled before is told of then. */
    abstract void mark();

    /** Whether none are to be taken now, or another number in a second. */
    final boolean isOver(int most) {
        return most == 0 || perSecond != most || paused.getAsBoolean();
    }

    /** How many were allowed in a second of those that were taken last. */
    int perSecond() {
        return sampled;
    }

    /** Whether none are taken, by the operator's will. */
    boolean isOff() {
        return perSecond == 0;
    }

    /** Whether {@link #run} has given up. */
    boolean hasFailed() {
        return failed;
    }

    AllocatedStacks all() {
        return allocated;
    }
}
