package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ExchangeKey;
import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.ThreadSwitches;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** What JVMs before 16 are asked for, which this one can tell, too. */
@Timeout(120)
final class AllocationSlicesTest {
    @SuppressWarnings("UnusedVariable") // what is made must be seen
    private static volatile byte @Nullable [] made;

    private final AtomicBoolean paused = new AtomicBoolean();
    private final AllocationSlices slices = new AllocationSlices(200, paused::get);

    @Test
    void whatThreadsMake_isTold_byExchange_untilThereIsNoBudget() throws Exception {
        Thread reading = new Thread(slices, "understudy-allocations");
        reading.start();
        try {
            Map<String, Long> samples = new HashMap<>();
            while (samples.getOrDefault("makesFor 1", 0L) < 20 || samples.getOrDefault("makesForAnother 2", 0L) < 20) {
                ServedExchange one = ExchangeTraffic.open(1);
                makesFor();
                ExchangeTraffic.end(one);
                linger();
                ServedExchange other = ExchangeTraffic.open(2);
                makesForAnother();
                ExchangeTraffic.end(other);
                linger();
                AllocatedStacks.Batch batch = slices.all().take();
                if (batch != null) {
                    batch.stacks.forEach(stack -> count(batch, stack, samples));
                }
            }
            assertThat(samples).doesNotContainKeys("makesFor 2", "makesForAnother 1");

            paused.set(true);
            while (ThreadSwitches.take() != null
                    || !FlightRecorder.getFlightRecorder().getRecordings().isEmpty()) {
                ExchangeTraffic.one();
                assertThat(reading.isAlive()).isTrue();
            }
        } finally {
            paused.set(true);
            while (reading.isAlive()) {
                reading.interrupt();
                reading.join(100);
            }
        }
    }

    @Test
    void anEvent_standsForItsBytes_asOftenAsItsSliceFitsIn() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ObjectAllocationInNewTLAB").withStackTrace();
            recording.enable("jdk.ObjectAllocationOutsideTLAB").withStackTrace();
            recording.enable(ClockMark.NAME);
            recording.start();
            ClockMark.commitOne();
            make(); // together more than the largest buffer of a thread
            ClockMark.commitOne();
            recording.stop();
            AllocatedStacks.Batch once = read(recording, 1);
            AllocatedStacks.Batch thrice = read(recording, 3);
            assertThat(once.bytes).isPositive();
            assertThat(thrice.samples).isEqualTo(once.samples);
            assertThat(thrice.bytes).isEqualTo(3 * once.bytes);
        }
    }

    @Test
    void whatIsMadeOutsideTheMarks_isntTaken() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ObjectAllocationInNewTLAB").withStackTrace();
            recording.enable(ClockMark.NAME);
            recording.start();
            make();
            ClockMark.commitOne();
            ClockMark.commitOne();
            make();
            recording.stop();
            AllocatedStacks stacks = new AllocatedStacks();
            try (SampledAllocations samples = new SampledAllocations(stacks)) {
                assertThat(AllocationSlices.read(recording, 1, samples)).isPositive();
            }
            assertThat(stacks.take()).isNull();
        }
    }

    private static void make() {
        for (int i = 0; i < 20; i++) {
            makesFor();
        }
    }

    private static AllocatedStacks.Batch read(Recording recording, double times) throws Exception {
        AllocatedStacks stacks = new AllocatedStacks();
        int count;
        try (SampledAllocations samples = new SampledAllocations(stacks)) {
            count = AllocationSlices.read(recording, times, samples);
        }
        AllocatedStacks.Batch batch = Objects.requireNonNull(stacks.take());
        assertThat(batch.samples).isPositive().isLessThanOrEqualTo(count);
        return batch;
    }

    private static void count(AllocatedStacks.Batch batch, AllocatedStacks.Stack stack, Map<String, Long> samples) {
        ExchangeKey exchange = stack.whose.exchange();
        for (int frame : stack.frames) {
            String name = batch.names.get(frame);
            if (exchange != null && name.contains("SlicesTest.makesFor")) {
                assertThat(stack.bytes).isGreaterThanOrEqualTo(stack.samples << 14);
                samples.merge(
                        name.substring(name.lastIndexOf('.') + 1) + ' ' + exchange.port(), stack.samples, Long::sum);
            }
        }
    }

    /** As far as the clocks of a recording and of threads may be apart. */
    private static void linger() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < FlightClock.MOST_APART_NANOS) {
            Thread.onSpinWait();
        }
    }

    private static void makesFor() {
        for (int i = 0; i < 200; i++) {
            made = new byte[1 << 14];
        }
    }

    private static void makesForAnother() {
        for (int i = 0; i < 200; i++) {
            made = new byte[1 << 14];
        }
    }
}
