package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.Counters;
import dev.understudy.observatory.node.kernel.KernelFile;
import dev.understudy.observatory.node.kernel.KernelText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A JVM's collector, safepoints and locks, from its perf data: nothing is attached to it, and it does nothing for it.
 *
 * <p>The JVM adds a pause to its counters when that ends. While a collector runs it shows when that began, so that a
 * pause counts in the samples in which it was; safepoints and waits count where they end. One thread.
 */
final class JvmMetrics implements AutoCloseable {
    private static final String COLLECTOR = "sun.gc.collector.";
    private static final int MOST_COLLECTORS = 8;

    /** Numbers that aren't a collector's, by their index in {@link #numbers}. */
    private static final List<String> NUMBERS = List.of(
            "sun.rt.safepointTime",
            "sun.rt.safepointSyncTime",
            "sun.rt._sync_ContendedLockAttempts",
            "sun.rt._sync_Parks");

    private final Path proc;
    private final int pid;
    private final String source;
    private final boolean isExpected;
    private final Consumer<String> notices;
    private final Counters numbers = new Counters(NUMBERS.size() + 1);
    private final int[] places = new int[NUMBERS.size()];
    private final PauseClock pauses = new PauseClock();
    /** What is read at once: from the first of the numbers to the last; their places are in the file. */
    private ByteBuffer numbersRead = ByteBuffer.allocate(0);

    private int firstPlace;
    private int[] collectors = {};
    private int ticksPlace;
    private double frequency;
    private int entries;
    private @Nullable KernelFile file;
    private int looks;

    /**
     * For a process that may be a JVM.
     *
     * @param isExpected whether it is one, so that a message is due if it has no perf data
     */
    JvmMetrics(Path proc, int pid, String source, boolean isExpected, Consumer<String> notices) {
        this.proc = proc;
        this.pid = pid;
        this.source = source;
        this.isExpected = isExpected;
        this.notices = notices;
    }

    /** Looks for its file, or for more in it; for once a second. */
    void look() {
        KernelFile open = file;
        if (open == null) {
            // a JVM has its file soon after its start; another program never has
            if (looks++ > 60) {
                return;
            }
            open = PerfFile.open(proc, pid);
            if (open == null) {
                if (isExpected && looks == 3) {
                    notices.accept(
                            source + " has no perf data that may be read: collector.*, safepoint.* and lock.* are "
                                    + "unknown; run as its user or as root, and start it without -XX:-UsePerfData and "
                                    + "-XX:+PerfDisableSharedMem");
                }
                return;
            }
        }
        try {
            // entries come until the JVM has started
            if (file == null || looks++ < 10) {
                use(open, PerfData.read(open, JvmMetrics::isWanted));
            }
            looks = file == null ? 0 : looks;
            file = open;
        } catch (IOException notYet) {
            if (looks == 3) {
                notices.accept(source + ": " + notYet.getMessage() + ": collector.* is unknown meanwhile");
            }
            open.close();
            file = null;
        }
    }

    private static boolean isWanted(String name) {
        return name.startsWith(COLLECTOR) || name.startsWith("sun.os.hrt.") || NUMBERS.contains(name);
    }

    private void use(KernelFile open, PerfData data) throws IOException {
        if (data.entries() == entries) {
            return;
        }
        entries = data.entries();
        for (int i = 0; i < places.length; i++) {
            places[i] = data.longs().getOrDefault(NUMBERS.get(i), 0);
        }
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < MOST_COLLECTORS; i++) {
            String prefix = COLLECTOR + i + ".";
            if (data.longs().containsKey(prefix + "time")
                    && isPause(data.texts().getOrDefault(prefix + "name", ""))) {
                for (String each : List.of("time", "invocations", "lastEntryTime", "lastExitTime")) {
                    found.add(data.longs().getOrDefault(prefix + each, 0));
                }
            }
        }
        collectors = found.stream().mapToInt(Integer::intValue).toArray();
        ticksPlace = data.longs().getOrDefault("sun.os.hrt.ticks", 0);
        int first =
                data.longs().values().stream().mapToInt(Integer::intValue).min().orElse(0);
        int last =
                data.longs().values().stream().mapToInt(Integer::intValue).max().orElse(0);
        firstPlace = first;
        numbersRead = ByteBuffer.allocateDirect(last - first + Long.BYTES).order(data.order());
        readNumbers(open);
        long rate = value(data.longs().getOrDefault("sun.os.hrt.frequency", 0));
        frequency = rate <= 0 ? 1e9 : rate;
    }

    /** Shenandoah counts what it does beside the application; its pauses are among the safepoints. */
    static boolean isPause(String name) {
        return !name.startsWith("Shenandoah")
                && (name.contains("pause") || name.contains("stop-the-world") || !name.contains("concurrent"));
    }

    /**
     * Reads the numbers.
     *
     * @param nanos now, {@code System.nanoTime}
     * @param row gets them from {@code at} on
     */
    void sample(long nanos, double seconds, double[] row, int at) {
        Arrays.fill(row, at, at + 6, Double.NaN);
        KernelFile open = file;
        if (open == null) {
            return;
        }
        numbers.next();
        try {
            readNumbers(open);
        } catch (IOException ended) {
            return;
        }
        readCollectors(nanos);
        for (int i = 0; i < places.length; i++) {
            numbers.set(i, value(places[i]));
        }
        row[at] = collectors.length == 0 ? Double.NaN : pauses.share(seconds);
        row[at + 1] = numbers.rise(NUMBERS.size()) / seconds;
        row[at + 2] = numbers.rise(0) / frequency / seconds;
        row[at + 3] = numbers.rise(1) / frequency / seconds;
        row[at + 4] = numbers.rise(2) / seconds;
        row[at + 5] = numbers.rise(3) / seconds;
    }

    private void readCollectors(long nanos) {
        double time = 0;
        double began = Double.NaN;
        long ticks = value(ticksPlace);
        for (int i = 0; i + 3 < collectors.length; i += 4) {
            time += Math.max(0, value(collectors[i])) / frequency;
            numbers.add(NUMBERS.size(), value(collectors[i + 1]));
            long entry = value(collectors[i + 2]);
            long exit = value(collectors[i + 3]);
            if (entry > exit) {
                began = entry / frequency;
            }
            // newer JVMs write their clock at pauses only
            ticks = Math.max(ticks, Math.max(entry, exit));
        }
        pauses.at(nanos / 1e9, ticks > 0 ? ticks / frequency : Double.NaN, time, began);
    }

    /** Less than all of them if the file was cut. */
    private void readNumbers(KernelFile open) throws IOException {
        numbersRead.clear();
        while (numbersRead.hasRemaining() && open.read(numbersRead, firstPlace + numbersRead.position()) > 0) {
            // a file gives all at once, usually
        }
        numbersRead.flip();
    }

    private long value(int place) {
        int at = place - firstPlace;
        return place == 0 || at < 0 || at > numbersRead.limit() - Long.BYTES
                ? KernelText.NONE
                : Math.max(KernelText.NONE, numbersRead.getLong(at));
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
        file = null;
    }
}
