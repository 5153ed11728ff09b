package dev.understudy.agent.stack;

import dev.understudy.agent.export.Stderr;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import jdk.jfr.EventSettings;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordedThreadGroup;
import net.bytebuddy.jar.asm.Type;

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
    private static final String OWN_THREADS = "understudy";
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
        try (AutoCloseable stream = (AutoCloseable) type.getConstructor().newInstance()) {
            Method enable = type.getMethod("enable", String.class);
            ((EventSettings) enable.invoke(stream, EVENT))
                    .with("throttle", most + "/s")
                    .withStackTrace();
            type.getMethod("setMaxAge", Duration.class).invoke(stream, KEPT);
            Consumer<RecordedEvent> taken = this::taken; // what it threw, JFR would print
            type.getMethod("onEvent", String.class, Consumer.class).invoke(stream, EVENT, taken);
            OnlyEvent only = new OnlyEvent(EVENT, type.getMethod("disable", String.class), stream);
            only.look();
            Runnable flushed = () -> {
                only.look();
                if (perSecond != most || paused.getAsBoolean()) {
                    close(stream);
                }
            };
            type.getMethod("onFlush", Runnable.class).invoke(stream, flushed);
            type.getMethod("start").invoke(stream);
        } catch (ReflectiveOperationException | RuntimeException problem) {
            throw problem;
        } catch (Exception closing) {
            throw new IllegalStateException(closing);
        }
    }

    private static void close(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception unclosed) {
            throw new IllegalStateException(unclosed);
        }
    }

    private void taken(RecordedEvent event) {
        try {
            read(event);
        } catch (RuntimeException unreadable) {
            allocated.drop();
        }
    }

    private void read(RecordedEvent event) {
        RecordedStackTrace trace = event.getStackTrace();
        RecordedThread thread = event.getThread("eventThread");
        RecordedClass type = event.getClass("objectClass");
        RecordedThreadGroup group = thread == null ? null : thread.getThreadGroup();
        boolean own = group != null && OWN_THREADS.equals(group.getName());
        if (trace != null && type != null && !own) {
            allocated.add(frames(trace, type), event.getLong("weight"));
        }
    }

    /** The thread's first one first, and at the end what was made. */
    private static List<String> frames(RecordedStackTrace trace, RecordedClass type) {
        List<RecordedFrame> frames = trace.getFrames();
        List<String> names = new ArrayList<>(frames.size() + 2);
        if (trace.isTruncated()) {
            names.add("(deeper)");
        }
        for (int i = frames.size() - 1; i >= 0; i--) {
            names.add(name(frames.get(i)));
        }
        names.add(spelled(type.getName()));
        return names;
    }

    private static String name(RecordedFrame frame) {
        return TakenStacks.stable(frame.getMethod().getType().getName())
                + '.'
                + frame.getMethod().getName();
    }

    /** As in source: the JVM's {@code [B} is {@code byte[]}. */
    static String spelled(String className) {
        return TakenStacks.stable(
                className.startsWith("[")
                        ? Type.getType(className.replace('.', '/')).getClassName()
                        : className);
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
