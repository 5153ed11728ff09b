package dev.understudy.agent.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
     * How many events there were. Of those before its first mark or after its last nobody knows whose they are, and
     * they are no part of the slice's time, so they aren't taken.
     *
     * @param times as often as what is recorded of them each stands for
     */
    static int read(Recording recording, double times, SampledAllocations samples) throws IOException {
        Path file = Files.createTempFile("understudy-allocations", ".jfr");
        List<RecordedEvent> events;
        try {
            recording.dump(file);
            events = RecordingFile.readAllEvents(file);
        } finally {
            Files.deleteIfExists(file);
        }
        List<RecordedEvent> marks = new ArrayList<>(2);
        List<RecordedEvent> allocations = new ArrayList<>(events.size());
        for (RecordedEvent event : events) {
            if (is(event, ClockMark.NAME)) {
                marks.add(event);
            } else if (is(event, IN_BUFFER) || is(event, OUTSIDE)) {
                allocations.add(event); // others are of recordings that others make
            }
        }
        marks.sort(Comparator.comparing(RecordedEvent::getStartTime));
        marks.forEach(samples::mark);
        for (RecordedEvent event : allocations) {
            if (isBetween(marks, event.getStartTime())) {
                long bytes = event.getLong(is(event, OUTSIDE) ? "allocationSize" : "tlabSize");
                samples.sample(event, Math.round(bytes * times));
            }
        }
        samples.settle();
        return allocations.size();
    }

    private static boolean is(RecordedEvent event, String name) {
        return event.getEventType().getName().equals(name);
    }

    private static boolean isBetween(List<RecordedEvent> marks, Instant time) {
        return marks.size() > 1
                && marks.get(0).getStartTime().isBefore(time)
                && !marks.get(marks.size() - 1).getStartTime().isBefore(time);
    }

    /** Each slice has its own marks. */
    @Override
    void mark() {}
}
