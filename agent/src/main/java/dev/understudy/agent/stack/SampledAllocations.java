package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ThreadSwitches;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordedThreadGroup;
import net.bytebuddy.jar.asm.Type;

/**
 * Finds out for which exchanges the objects were made that a recording has samples of.
 *
 * <p>A recording is read when its threads have long gone on to other work. So while this is open, threads note when
 * they go from one exchange to another ({@link ThreadSwitches}), and the recording has marks by which its times are
 * told in theirs ({@link ClockMark}). A sample waits for the next mark. Confined to one thread.
 */
final class SampledAllocations implements AutoCloseable {
    static final int MOST_WAITING = 1 << 13;

    private static final String OWN_THREADS = "understudy";

    private final AllocatedStacks allocated;
    private final FlightClock clock = new FlightClock();
    private final ServedTimes served;
    private final Deque<Sample> waiting = new ArrayDeque<>();

    /**
     * From now on threads note what they go to.
     *
     * @param allocated is told of them
     */
    SampledAllocations(AllocatedStacks allocated) {
        this.allocated = allocated;
        ThreadSwitches.keep(true);
        served = new ServedTimes(System.nanoTime());
    }

    /** A mark that is later than those before. */
    void mark(RecordedEvent event) {
        clock.mark(event.getStartTime(), event.getLong("nanos"));
    }

    /** A sample that stands for so many bytes. */
    void sample(RecordedEvent event, long weight) {
        try {
            read(event, weight);
        } catch (RuntimeException unreadable) {
            allocated.drop();
        }
    }

    private void read(RecordedEvent event, long weight) {
        RecordedStackTrace trace = event.getStackTrace();
        RecordedThread thread = event.getThread("eventThread");
        RecordedClass type = event.getClass("objectClass");
        RecordedThreadGroup group = thread == null ? null : thread.getThreadGroup();
        boolean own = group != null && OWN_THREADS.equals(group.getName());
        if (trace == null || type == null || thread == null || own) {
            return;
        }
        waiting.addLast(new Sample(thread.getJavaThreadId(), event.getStartTime(), frames(trace, type), weight));
        if (waiting.size() > MOST_WAITING) {
            Sample eldest = waiting.removeFirst();
            allocated.add(Whose.UNKNOWN, eldest.frames, eldest.weight);
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

    /** There are none of the time until now. */
    void skip() {
        long now = System.nanoTime();
        served.learn(now);
        served.forgetBefore(now);
    }

    /** Tells of those that have a mark behind them. */
    void settle() {
        served.learn(System.nanoTime());
        for (int all = waiting.size(); all > 0; all--) {
            Sample sample = waiting.removeFirst();
            if (clock.reaches(sample.time)) {
                allocated.add(whose(sample), sample.frames, sample.weight);
            } else {
                waiting.addLast(sample);
            }
        }
        clock.latest().ifPresent(served::forgetBefore);
    }

    private Whose whose(Sample sample) {
        OptionalLong nanos = clock.nanosAt(sample.time);
        return nanos.isPresent() ? served.whose(sample.thread, nanos.getAsLong()) : Whose.UNKNOWN;
    }

    /** Tells of all that are left, and has threads note nothing any more. A second call does nothing. */
    @Override
    public void close() {
        settle();
        waiting.forEach(sample -> allocated.add(Whose.UNKNOWN, sample.frames, sample.weight));
        waiting.clear();
        ThreadSwitches.keep(false);
        ThreadSwitches.take();
    }

    private static final class Sample {
        final long thread;
        final Instant time;
        final List<String> frames;
        final long weight;

        Sample(long thread, Instant time, List<String> frames, long weight) {
            this.thread = thread;
            this.time = time;
            this.frames = frames;
            this.weight = weight;
        }
    }
}
