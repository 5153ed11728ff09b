package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.Counters;
import dev.understudy.observatory.node.kernel.KernelFile;
import dev.understudy.observatory.node.kernel.KernelText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process: {@code /proc/PID/stat} and {@code io}, its threads' waits, its control group and its JVM's counters.
 *
 * <p>One thread.
 */
final class ProcessMetrics implements AutoCloseable {
    static final List<String> METRICS = List.of(
            "processor.busy",
            "processor.user",
            "processor.system",
            "processor.wait",
            "processor.runs",
            "processor.throttled",
            "processor.threads",
            "disk.wait",
            "disk.read",
            "disk.write",
            "memory.resident",
            "memory.fault.minor",
            "memory.fault.major",
            "collector.pause",
            "collector.runs",
            "safepoint.pause",
            "safepoint.sync",
            "lock.contended",
            "lock.parks");

    /** Where the time that it waited for disks is. */
    static final int DISK_WAIT = METRICS.indexOf("disk.wait");

    /** Where those of a JVM begin. */
    private static final int OF_JVM = METRICS.indexOf("collector.pause");

    private static final byte[] READ_BYTES = "read_bytes:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] WRITE_BYTES = "write_bytes:".getBytes(StandardCharsets.US_ASCII);
    private static final double TICKS = 100;

    private static final int MINOR = 0;
    private static final int MAJOR = 1;
    private static final int USER = 2;
    private static final int SYSTEM = 3;
    private static final int WAITED = 4;
    private static final int READ = 5;
    private static final int WRITTEN = 6;

    private final int pid;
    private final String source;
    private final double page;
    private final KernelText text;
    private final KernelFile stat;
    private final @Nullable KernelFile io;
    private final ThreadWaits threads;
    private final ThrottledTime throttled;
    private final JvmMetrics jvm;
    private final Counters counters = new Counters(7);
    private long resident = KernelText.NONE;
    private long threadCount = KernelText.NONE;

    /**
     * Opens its files.
     *
     * @param name what it was asked for by; null for what the kernel names it
     * @throws IOException if there is no such process
     */
    ProcessMetrics(Path proc, int pid, @Nullable String name, int page, Consumer<String> notices) throws IOException {
        Path files = proc.resolve(Integer.toString(pid));
        this.pid = pid;
        this.page = page;
        this.text = new KernelText();
        this.stat = KernelFile.open(files.resolve("stat"));
        String command = commandOf(stat, text);
        this.source = plain(name == null ? command : name) + " " + pid;
        this.io = openIo(files.resolve("io"), notices);
        this.threads = new ThreadWaits(files.resolve("task"), text);
        this.throttled = ThrottledTime.of(proc, files, text, notices);
        this.jvm = new JvmMetrics(proc, pid, source, command.equals("java"), notices);
    }

    private static String commandOf(KernelFile stat, KernelText text) throws IOException {
        stat.read(text);
        if (!text.nextLine() || !text.skipPast('(')) {
            throw new IOException("its stat isn't of a process");
        }
        String rest = text.rest();
        return rest.substring(0, Math.max(0, rest.lastIndexOf(')')));
    }

    /** What may stand in a CSV file's cell and in a series' name. */
    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-");
        return plain.isEmpty() ? "process" : plain.substring(0, Math.min(40, plain.length()));
    }

    private static @Nullable KernelFile openIo(Path file, Consumer<String> notices) {
        try {
            return KernelFile.open(file);
        } catch (IOException | UnsupportedOperationException forbidden) {
            notices.accept(file + " can't be read (" + forbidden.getClass().getSimpleName()
                    + "): disk.read and disk.write of that process are unknown; run as its user or as root");
            return null;
        }
    }

    int pid() {
        return pid;
    }

    /** Its name and number, for example {@code orders 4711}. */
    String source() {
        return source;
    }

    /** Looks what threads it has, and whether its JVM has counters; for once a second. */
    void look() {
        threads.look();
        jvm.look();
    }

    /**
     * Reads its files.
     *
     * @param seconds since they were read before
     * @param row gets a value for each of {@link #METRICS}, NaN where there is none
     * @return false if it has ended
     */
    boolean sample(long nanos, double seconds, double[] row) {
        counters.next();
        try {
            stat.read(text);
        } catch (IOException ended) {
            return false;
        }
        if (!readStat()) {
            return false;
        }
        readIo();
        row[0] = (counters.rise(USER) + counters.rise(SYSTEM)) / TICKS / seconds;
        row[1] = counters.rise(USER) / TICKS / seconds;
        row[2] = counters.rise(SYSTEM) / TICKS / seconds;
        threads.sample(seconds, row, 3);
        row[5] = throttled.sample(seconds);
        row[6] = threadCount < 0 ? Double.NaN : threadCount;
        row[DISK_WAIT] = counters.rise(WAITED) / TICKS / seconds;
        row[8] = counters.rise(READ) / seconds;
        row[9] = counters.rise(WRITTEN) / seconds;
        row[10] = resident < 0 ? Double.NaN : resident * page;
        row[11] = counters.rise(MINOR) / seconds;
        row[12] = counters.rise(MAJOR) / seconds;
        jvm.sample(nanos, seconds, row, OF_JVM);
        return true;
    }

    /** Fields by their numbers in proc(5); the second, its name, may hold anything. */
    private boolean readStat() {
        if (!text.nextLine() || !text.skipPastLast(')')) {
            return false;
        }
        text.skipWords(7);
        counters.set(MINOR, text.number()); // 10
        text.skipWords(1);
        counters.set(MAJOR, text.number()); // 12
        text.skipWords(1);
        counters.set(USER, text.number()); // 14
        counters.set(SYSTEM, text.number());
        text.skipWords(4);
        threadCount = text.number(); // 20
        text.skipWords(3);
        resident = text.number(); // 24
        text.skipWords(17);
        counters.set(WAITED, text.number()); // 42
        return true;
    }

    private void readIo() {
        if (io == null) {
            return;
        }
        try {
            io.read(text);
        } catch (IOException forbidden) {
            return; // its rights may change
        }
        while (text.nextLine()) {
            if (text.skip(READ_BYTES)) {
                counters.set(READ, text.number());
            } else if (text.skip(WRITE_BYTES)) {
                counters.set(WRITTEN, text.number());
            }
        }
    }

    @Override
    public void close() {
        stat.close();
        if (io != null) {
            io.close();
        }
        threads.close();
        throttled.close();
        jvm.close();
    }
}
