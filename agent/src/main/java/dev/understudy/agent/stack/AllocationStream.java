package dev.understudy.agent.stack;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import jdk.jfr.EventSettings;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Takes the JVM's own samples of allocations (JFR's {@code jdk.ObjectAllocationSample}, which JDK 16 brought).
 *
 * <p>The JVM sees to it that there are no more than so many a second, of all threads together, and says for how many
 * bytes each stands. The API that streams them is newer than the JDK that the agent is built for, so it is called by
 * reflection.
 */
final class AllocationStream extends AllocationSource {
    private static final String EVENT = "jdk.ObjectAllocationSample";
    private static final int FIRST_RELEASE = 16;
    /** What was recorded longer ago is taken off the disk. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    /** One that has taken none yet. */
    AllocationStream(int perSecond, BooleanSupplier paused) {
        super(perSecond, paused);
    }

    /** Whether this JVM has such samples. */
    static boolean isSupported() {
        return Runtime.version().feature() >= FIRST_RELEASE;
    }

    @Override
    void sample(int most, AllocatedStacks into) throws ReflectiveOperationException {
        Class<?> type = Class.forName("jdk.jfr.consumer.RecordingStream");
        try (AutoCloseable stream = (AutoCloseable) type.getConstructor().newInstance();
                SampledAllocations samples = new SampledAllocations(into)) {
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
            Method disable = type.getMethod("disable", String.class);
            OnlyEvents only = new OnlyEvents(Set.of(EVENT, ClockMark.NAME), event -> disable(disable, stream, event));
            only.look();
            Runnable flushed = () -> {
                if (isOver(most)) {
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

    private static void disable(Method disable, Object stream, String event) {
        try {
            disable.invoke(stream, event);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static void close(AutoCloseable opened) {
        try {
            opened.close();
        } catch (Exception unclosed) {
            throw new IllegalStateException(unclosed);
        }
    }

    /** Not on the thread that runs this: a stream doesn't record its own. */
    @Override
    void mark() {
        ClockMark.commitOne();
    }
}
