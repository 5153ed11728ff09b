package dev.understudy.agent.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records for some slices of each second each new buffer that a thread has to allocate from, and each object that fits
 * in none: what JVMs before JDK 16 can tell.
 *
 * <p>These events have no limit of their own, so the slices are as long as the last ones say that so many events take,
 * and where even the shortest has too many, there is none for some time. When within its period a slice begins, chance
 * decides. An event stands for the bytes of its buffer as often as the slice fits into the time since the last one
 * began.
 */
final class AllocationSlices extends AllocationSource {
    private static final String IN_BUFFER = "jdk.ObjectAllocationInNewTLAB";
    private static final String OUTSIDE = "jdk.ObjectAllocationOutsideTLAB";
    private static final Set<String> EVENTS = Set.of(IN_BUFFER, OUTSIDE, ClockMark.NAME);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / SliceLengths.A_SECOND;

    private final SplittableRandom random = new SplittableRandom();

    /** One that has taken none yet. */
    AllocationSlices(int perSecond, BooleanSupplier paused) {
        super(perSecond, paused);
    }

    @Override
    void sample(int most, AllocatedStacks into) {
        SliceLengths lengths = new SliceLengths(most);
        try (SampledAllocations samples = new SampledAllocations(into)) {
            long last = System.nanoTime();
            while (!isOver(most) && !Thread.currentThread().isInterrupted()) {
                long length = lengths.next();
                long wait = (long) (random.nextDouble() * (PERIOD_NANOS - length));
                LockSupport.parkNanos(wait);
                if (length > 0) {
                    long begun = System.nanoTime();
                    lengths.had(slice(length, begun - last, samples));
                    last = begun;
                } else {
                    samples.skip();
                }
                LockSupport.parkNanos(PERIOD_NANOS - length - wait);
            }
        }
    }

    private static int slice(long length, long sinceLast, SampledAllocations samples) {
        try (Recording recording = new Recording()) {
            recording.enable(IN_BUFFER).withStackTrace();
            recording.enable(OUTSIDE).withStackTrace();
            recording.enable(ClockMark.NAME);
            new OnlyEvents(EVENTS, recording::disable).look();
            recording.start();
            long begun = System.nanoTime();
            ClockMark.commitOne();
            LockSupport.parkNanos(length);
            ClockMark.commitOne();
            long took = System.nanoTime() - begun;
            recording.stop();
            return read(recording, Math.max(1, (double) sinceLast / took), samples);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * How many events there were.
     *
     * @param times as often as what is recorded of them each stands for
     */
    static int read(Recording recording, double times, SampledAllocations samples) throws IOException {
        Path file = Files.createTempFile("understudy-allocations", ".jfr");
        int count = 0;
        try {
            recording.dump(file);
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    RecordedEvent event = events.readEvent();
                    String name = event.getEventType().getName();
                    if (name.equals(ClockMark.NAME)) {
                        samples.mark(event);
                    } else if (name.equals(IN_BUFFER) || name.equals(OUTSIDE)) {
                        count++;
                        long bytes = event.getLong(name.equals(OUTSIDE) ? "allocationSize" : "tlabSize");
                        samples.sample(event, Math.round(bytes * times));
                    }
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
        samples.settle();
        return count;
    }

    /** Each slice has its own marks. */
    @Override
    void mark() {}
}
