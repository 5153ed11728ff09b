package dev.understudy.observatory.node.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Processors by what they did, from {@code /proc/stat} (proc(5)): shares of all processors' time, whose steps are the
 * kernel's clock ticks of 10 ms.
 */
public final class ProcessorMetrics implements HostMetrics {
    private static final byte[] ALL = "cpu ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ONE = "cpu".getBytes(StandardCharsets.US_ASCII);
    private static final byte[][] COUNTS = KernelSource.words("ctxt", "procs_running", "procs_blocked");

    /** user, nice, system, idle, iowait, irq, softirq, steal; older kernels have fewer, newer ones have guests'. */
    private static final int STATES = 8;

    private static final int IDLE = 3;
    private static final int SWITCHES = STATES;
    private static final int MOST_PROCESSORS = 1024;

    private final KernelText text = new KernelText();
    private final Counters counters = new Counters(STATES + 1);
    private final Counters idle = new Counters(MOST_PROCESSORS);
    private final KernelSource file;

    /**
     * Opens the file.
     *
     * @param proc where the kernel's files are, {@code /proc}
     */
    public ProcessorMetrics(Path proc, Consumer<String> notices) {
        file = new KernelSource(
                proc.resolve("stat"), "processor.* is unknown; is /proc mounted, and is this Linux?", notices);
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "processor.busy",
                "processor.user",
                "processor.system",
                "processor.iowait",
                "processor.irq",
                "processor.steal",
                "processor.most",
                "processor.queue",
                "processor.blocked",
                "processor.switches");
    }

    @Override
    public void sample(double seconds, double[] row, int at) {
        file.read(text);
        counters.next();
        idle.next();
        long running = KernelText.NONE;
        long blocked = KernelText.NONE;
        int processors = 0;
        while (text.nextLine()) {
            if (text.skip(ALL)) {
                for (int state = 0; state < STATES; state++) {
                    counters.set(state, text.number());
                }
            } else if (text.skip(ONE)) {
                text.skipWords(1 + IDLE);
                if (processors < MOST_PROCESSORS) {
                    long waited = text.number();
                    long forDisks = text.number();
                    idle.set(processors++, waited < 0 ? waited : waited + Math.max(0, forDisks));
                }
            } else {
                switch (text.wordIn(COUNTS)) {
                    case 0 -> counters.set(SWITCHES, text.number());
                    case 1 -> running = text.number();
                    case 2 -> blocked = text.number();
                    default -> {}
                }
            }
        }
        shares(row, at);
        row[at + 6] = most(seconds, processors);
        // the sampler itself runs while it reads this
        row[at + 7] = running < 0 ? Double.NaN : Math.max(0, running - 1);
        row[at + 8] = blocked < 0 ? Double.NaN : blocked;
        row[at + 9] = counters.rise(SWITCHES) / seconds;
    }

    private void shares(double[] row, int at) {
        double total = 0;
        for (int state = 0; state < STATES; state++) {
            total += rise(state);
        }
        if (total <= 0 || Double.isNaN(counters.rise(0))) {
            for (int i = 0; i < 6; i++) {
                row[at + i] = Double.NaN;
            }
            return;
        }
        double waiting = rise(IDLE) + rise(4);
        row[at] = (total - waiting - rise(7)) / total;
        row[at + 1] = (rise(0) + rise(1)) / total;
        row[at + 2] = rise(2) / total;
        row[at + 3] = known(4, rise(4) / total);
        row[at + 4] = known(5, (rise(5) + rise(6)) / total);
        row[at + 5] = known(7, rise(7) / total);
    }

    /** The kernel's idle and iowait may fall by a tick. */
    private double rise(int state) {
        double rise = counters.rise(state);
        return Double.isNaN(rise) ? 0 : rise;
    }

    private double known(int state, double value) {
        return counters.get(state) < 0 ? Double.NaN : value;
    }

    /** The share of the busiest processor, by the sampler's own clock: one processor's ticks are too few for a sum. */
    private double most(double seconds, int processors) {
        double least = Double.NaN;
        for (int i = 0; i < processors; i++) {
            double waited = idle.rise(i);
            if (!Double.isNaN(waited) && !(waited >= least)) {
                least = waited;
            }
        }
        // 100 ticks a second on every Linux (USER_HZ)
        return Double.isNaN(least) ? least : Math.max(0, 1 - least / (100 * seconds));
    }

    @Override
    public void close() {
        file.close();
    }
}
