package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.PageSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** The processes that are sampled: those whose numbers were given, and those that have a name's text. One thread. */
public final class ProcessTable implements AutoCloseable {
    /** How many are sampled at a time. */
    public static final int MOST = 16;

    private final Path proc;
    private final ProcessFinder finder;
    private final List<ProcessMetrics> processes = new ArrayList<>();
    private final Consumer<String> once;
    private final Consumer<String> changes;
    private final int page = PageSize.read(Path.of("/proc/self/auxv"));
    private final double[] row = new double[ProcessMetrics.METRICS.size()];
    private final boolean hasDelays;

    /** Gets a process's values. */
    @FunctionalInterface
    public interface RowSink {
        /**
         * Takes them.
         *
         * @param source the process, for example {@code orders 4711}
         * @param row a value for each of {@link #metrics()}; it is used again
         */
        void accept(String source, double[] row);
    }

    /**
     * Opens the processes' files.
     *
     * @param proc where the kernel's files are, {@code /proc}
     * @param wanted numbers of processes, or texts of their command lines
     * @param once gets what isn't known of them, and why
     * @param changes gets what begins and ends
     * @throws IOException if a number is of no process
     */
    public ProcessTable(Path proc, List<String> wanted, Consumer<String> once, Consumer<String> changes)
            throws IOException {
        this.proc = proc;
        this.once = once;
        this.changes = changes;
        hasDelays = wanted.isEmpty() || countsDelays();
        List<String> names = new ArrayList<>();
        for (String each : wanted) {
            int pid = ProcessFinder.number(each);
            if (pid == 0) {
                names.add(each);
                continue;
            }
            try {
                if (!has(pid)) {
                    processes.add(new ProcessMetrics(proc, pid, null, page, once));
                }
            } catch (IOException | UnsupportedOperationException none) {
                close();
                throw new IOException(
                        "--process " + pid + ": no such process (expected: one that runs on this machine; "
                                + "a part of its command line finds it after a restart, too)",
                        none);
            }
        }
        finder = new ProcessFinder(proc, names, ProcessFinder.self());
    }

    /** Whether the kernel counts waits for disks; otherwise it says that there were none. */
    private boolean countsDelays() {
        try {
            if (!Files.readString(proc.resolve("sys/kernel/task_delayacct")).startsWith("0")) {
                return true;
            }
        } catch (IOException older) {
            return true; // before Linux 5.14 it is on
        }
        once.accept("the kernel doesn't count waits for disks: disk.wait is unknown; "
                + "sysctl kernel.task_delayacct=1 makes it count");
        return false;
    }

    /** The columns' names. */
    public static List<String> metrics() {
        return ProcessMetrics.METRICS;
    }

    /** Looks for processes that are new, and what is new in the others; for once a second. */
    public void look() {
        finder.look(this::add);
        processes.forEach(ProcessMetrics::look);
    }

    private void add(int pid, String name) {
        if (has(pid)) {
            return;
        }
        if (processes.size() >= MOST) {
            once.accept("more than " + MOST + " processes match: the first " + MOST
                    + " are sampled; give numbers, or longer parts of their command lines");
            return;
        }
        try {
            ProcessMetrics process = new ProcessMetrics(proc, pid, name, page, once);
            processes.add(process);
            changes.accept(process.source() + " is sampled from now on");
        } catch (IOException | UnsupportedOperationException gone) {
            // it was short
        }
    }

    private boolean has(int pid) {
        return processes.stream().anyMatch(known -> known.pid() == pid);
    }

    /** How many there are now. */
    public int size() {
        return processes.size();
    }

    /** Their names and numbers. */
    public List<String> sources() {
        return processes.stream().map(ProcessMetrics::source).toList();
    }

    /** Reads all of them; {@code sink} gets a row for each that goes on. */
    public void sample(long nanos, double seconds, RowSink sink) {
        Iterator<ProcessMetrics> each = processes.iterator();
        while (each.hasNext()) {
            ProcessMetrics process = each.next();
            if (process.sample(nanos, seconds, row)) {
                if (!hasDelays) {
                    row[ProcessMetrics.DISK_WAIT] = Double.NaN;
                }
                sink.accept(process.source(), row);
            } else {
                process.close();
                each.remove();
                changes.accept(process.source() + " has ended");
            }
        }
    }

    @Override
    public void close() {
        processes.forEach(ProcessMetrics::close);
        processes.clear();
    }
}
