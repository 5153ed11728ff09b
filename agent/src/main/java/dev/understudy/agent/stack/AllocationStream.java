package dev.understudy.agent.stack;

import dev.understudy.agent.export.Stderr;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import jdk.jfr.EventSettings;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Takes the JVM's own samples of allocations (JFR's {@code jdk.ObjectAllocationSample}, which JDK 16 brought), and none while that is too
 * much for the budget.
 *
 * <p>The JVM sees to it that there are no more than so many a second, of all threads together, and says for how many bytes each stands. They
 * are read on the agent's thread that runs this, so that it pays for it. The API that streams them is newer than the JDK that the agent
 * is built for, so it is called by reflection. {@link #run} returns when its thread is interrupted.
 */
final class AllocationStream implements Runnable {
    static final String EVENT = "jdk.ObjectAllocationSample";
    private static final int FIRST_RELEASE = 16;
    private static final long IDLE_NANOS = 250_000_000L;
    /** What was recorded longer ago is taken off the disk. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    private volatile int perSecond;
    private volatile int sampled;
    private volatile boolean failed;
    private final BooleanSupplier paused;
    private final AllocatedStacks allocated = new AllocatedStacks();

    /**
     * One that has taken none yet.
     *
     * @param perSecond so many at most; 0 for none
     * @param paused whether there is no budget now
     */
    AllocationStream(int perSecond, BooleanSupplier paused) {
        this.perSecond = perSecond;
        this.sampled = perSecond;
        this.paused = paused;
    }

    /** From the next second on so many at most; 0 for none. */
    void limit(int most) {
        perSecond = most;
    }

    /** Whether this JVM has such samples. */
    static boolean isPossible() {
        return Runtime.version().feature() >= FIRST_RELEASE
                && ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            int most = perSecond;
            if (most == 0 || paused.getAsBoolean()) {
                LockSupport.parkNanos(IDLE_NANOS);
                continue;
            }
            try {
                sampled = most;
                stream(most);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError problem) {
                failed = true;
                Stderr.line("allocations aren't sampled: " + problem);
                return;
            }
        }
    }

    /** Until there is no budget, or another limit. */
    private void stream(int most) throws ReflectiveOperationException {
        Class<?> type = Class.forName("jdk.jfr.consumer.RecordingStream");
        try (AutoCloseable stream = (AutoCloseable) type.getConstructor().newInstance();
                SampledAllocations samples = new SampledAllocations(allocated)) {
            Method enable = type.getMethod("enable", String.class);
            ((EventSettings) enable.invoke(stream, EVENT))
                    .with("throttle", most + "/s")
                    .withStackTrace();
            enable.invoke(stream, ClockMark.NAME);
            type.getMethod("setMaxAge", Duration.class).invoke(stream, KEPT);
            // what these threw, JFR would print
            Consumer<RecordedEvent> sampled = event -> samples.sample(event, event.getLong("weight"));
            Consumer<RecordedEvent> marked = samples::mark;
            Method onEvent = type.getMethod("onEvent", String.class, Consumer.class);
            onEvent.invoke(stream, EVENT, sampled);
            onEvent.invoke(stream, ClockMark.NAME, marked);
            OnlyEvents only =
                    new OnlyEvents(Set.of(EVENT, ClockMark.NAME), type.getMethod("disable", String.class), stream);
            only.look();
            Runnable flushed = () -> {
                if (perSecond != most || paused.getAsBoolean()) {
                    close(samples);
                    close(stream);
                    return;
                }
                samples.settle();
                only.look();
            };
            type.getMethod("onFlush", Runnable.class).invoke(stream, flushed);
            type.getMethod("start").invoke(stream);
        } catch (ReflectiveOperationException | RuntimeException problem) {
            throw problem;
        } catch (Exception closing) {
            throw new IllegalStateException(closing);
        }
    }

    private static void close(AutoCloseable opened) {
        try {
            opened.close();
        } catch (Exception unclosed) {
            throw new IllegalStateException(unclosed);
        }
    }

    /** What was sampled before is told of at the next flush. Not on the thread that runs this: a stream doesn't record its own. */
    void mark() {
        ClockMark.commitOne();
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
