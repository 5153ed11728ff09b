package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import java.nio.ByteBuffer;

/** The counters of one thread, which alone reads them; whoever finds the thread ended closes them. */
final class CounterGroup {
    private static final int HEAD = 24;
    private static final int ENABLED = 8;
    private static final int RUNNING = 16;

    final Thread thread;
    private final Perf perf;
    private final int[] descriptors;
    private final ByteBuffer buffer;
    private final long address;
    private final int count;

    private CounterGroup(Perf perf, Thread thread, int[] descriptors, int count) {
        this.perf = perf;
        this.thread = thread;
        this.descriptors = descriptors;
        this.count = count;
        this.buffer = PerfEvents.direct(HEAD + 8 * descriptors.length);
        this.address = perf.address(buffer);
    }

    /** Opens them for the running thread; one that {@link #isOpen} isn't if the kernel refuses. */
    static CounterGroup open(Perf perf, CounterChoice choice) {
        int[] descriptors = new int[choice.events.size()];
        int count = 0;
        for (CounterEvent event : choice.events) {
            int opened = perf.open(event, count == 0 ? -1 : descriptors[0], choice.userOnly);
            if (opened < 0) {
                break;
            }
            descriptors[count++] = opened;
        }
        CounterGroup group = new CounterGroup(perf, Thread.currentThread(), descriptors, count);
        if (!group.isOpen()) {
            group.close();
        }
        return group;
    }

    boolean isOpen() {
        return count == descriptors.length;
    }

    /**
     * Puts the values behind those of the JVM; where the counters had to share the processor's they say nothing, and
     * stay as they are.
     */
    void read(long[] values) {
        if (!isOpen() || perf.read(descriptors[0], buffer, address) < HEAD + 8L * count) {
            return;
        }
        if (buffer.getLong(ENABLED) != buffer.getLong(RUNNING)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            values[Meter.COUNTERS + i] = buffer.getLong(HEAD + 8 * i);
        }
    }

    void close() {
        for (int i = count - 1; i >= 0; i--) {
            perf.close(descriptors[i]);
        }
    }
}
