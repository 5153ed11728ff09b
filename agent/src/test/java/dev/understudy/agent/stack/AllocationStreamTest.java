package dev.understudy.agent.stack;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The JVM's own samples, of this JVM. */
@Timeout(120)
final class AllocationStreamTest {
    @SuppressWarnings("UnusedVariable") // what is made must be seen
    private static volatile byte @Nullable [] made;

    private final AtomicBoolean paused = new AtomicBoolean();
    private final AllocationStream stream = new AllocationStream(200, paused::get);

    @Test
    void whatAThreadMakes_isSampledWithItsStackAndClass_untilThereIsNoBudget() throws Exception {
        FlightRecorder.register(Noted.class);
        Thread reading = new Thread(stream, "understudy-allocations");
        reading.start();
        try {
            long seen = 0;
            long samples = 0;
            long bytes = 0;
            while (seen <= 1 << 20) {
                makes();
                stream.mark();
                AllocatedStacks.Batch batch = stream.all().take();
                if (batch != null) {
                    samples += batch.samples;
                    bytes += batch.bytes;
                    seen += of(batch);
                }
            }
            assertThat(samples).isPositive();
            assertThat(bytes).isGreaterThanOrEqualTo(seen);
            assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isNotEmpty();
            assertThat(new Noted().isEnabled())
                    .as("events of the application, which any recording has otherwise")
                    .isFalse();

            paused.set(true);
            while (!FlightRecorder.getFlightRecorder().getRecordings().isEmpty()) {
                makes();
            }
            stream.all().take();
            makes();
            assertThat(stream.all().take()).isNull();
        } finally {
            paused.set(true);
            while (reading.isAlive()) {
                reading.interrupt();
                reading.join(100);
            }
        }
    }

    @Test
    void classes_areNamedAsInSource() {
        assertThat(SampledAllocations.spelled("[B")).isEqualTo("byte[]");
        assertThat(SampledAllocations.spelled("[[Ljava.lang.String;")).isEqualTo("java.lang.String[][]");
        assertThat(SampledAllocations.spelled("a.B$$Lambda/0x00007f01")).isEqualTo("a.B$$Lambda");
        assertThat(SampledAllocations.spelled("a.B$$Lambda+0x00007f01")).isEqualTo("a.B$$Lambda");
        assertThat(SampledAllocations.spelled("a.B$$Lambda.0x00007f01")).isEqualTo("a.B$$Lambda");
        assertThat(SampledAllocations.spelled("java.util.HashMap$Node")).isEqualTo("java.util.HashMap$Node");
    }

    @Test
    void stacksAndNames_areBounded_andTheRestIsCounted() {
        AllocatedStacks stacks = new AllocatedStacks();
        for (int i = 0; i < 3 * AllocatedStacks.MOST_STACKS; i++) {
            stacks.add(Whose.UNKNOWN, List.of("run", "m" + i), 10);
            stacks.add(Whose.UNKNOWN, List.of("run", "m0"), 10);
        }
        AllocatedStacks.Batch batch = Objects.requireNonNull(stacks.take());
        assertThat(batch.stacks).hasSize(AllocatedStacks.MOST_STACKS);
        assertThat(batch.samples).isEqualTo(6L * AllocatedStacks.MOST_STACKS);
        assertThat(batch.bytes).isEqualTo(10 * batch.samples);
        assertThat(batch.stacks.stream().mapToLong(stack -> stack.samples).sum())
                .isEqualTo(batch.samples - batch.dropped);
        assertThat(stacks.take()).isNull();

        stacks.add(
                Whose.UNKNOWN,
                IntStream.range(0, AllocatedStacks.MOST_NAMES + 1)
                        .mapToObj(n -> "n" + n)
                        .collect(Collectors.toList()),
                5);
        assertThat(stacks.take()).satisfies(left -> assertThat(left.dropped).isEqualTo(1));
    }

    /** An event that the application has. */
    private static final class Noted extends Event {}

    /** For how many bytes the samples of what is made here stand. */
    private static long of(AllocatedStacks.Batch batch) {
        String here = AllocationStreamTest.class.getName() + ".makes";
        return batch.stacks.stream()
                .filter(stack -> {
                    int last = stack.frames.length - 1;
                    return batch.names.get(stack.frames[last]).equals("byte[]")
                            && batch.names.get(stack.frames[last - 1]).equals(here);
                })
                .mapToLong(stack -> stack.bytes)
                .sum();
    }

    private static void makes() {
        for (int i = 0; i < 100; i++) {
            made = new byte[1 << 16];
        }
    }
}
