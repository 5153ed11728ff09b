package dev.understudy.observatory.node.kernel;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Memory in use, pages that wait for a disk, and reclaim, from {@code /proc/meminfo} and {@code /proc/vmstat}. */
public final class MemoryMetrics implements HostMetrics {
    private static final byte[][] INFO =
            KernelSource.words("MemTotal:", "MemFree:", "MemAvailable:", "Dirty:", "Writeback:");
    private static final byte[][] PAGES = KernelSource.words(
            "nr_written", "pgmajfault", "pswpin", "pswpout", "pgscan_kswapd", "pgscan_direct", "pgscan_khugepaged");
    private static final byte[] STALL = KernelSource.words("allocstall")[0];

    /** Places in {@link #counters}, the first of which are {@link #PAGES}'. */
    private static final int STALLS = PAGES.length;

    private final double page = PageSize.read(Path.of("/proc/self/auxv"));
    private final KernelText text = new KernelText();
    private final long[] info = new long[INFO.length];
    private final Counters counters = new Counters(PAGES.length + 1);
    private final KernelSource infoFile;
    private final KernelSource pagesFile;

    /**
     * Opens the files.
     *
     * @param proc where the kernel's files are, {@code /proc}
     */
    public MemoryMetrics(Path proc, Consumer<String> notices) {
        infoFile = new KernelSource(proc.resolve("meminfo"), "memory.used and memory.dirty are unknown", notices);
        pagesFile = new KernelSource(proc.resolve("vmstat"), "memory.scan and memory.fault are unknown", notices);
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "memory.used",
                "memory.filled",
                "memory.dirty",
                "memory.writeback",
                "memory.written",
                "memory.fault.major",
                "memory.swap.in",
                "memory.swap.out",
                "memory.scan",
                "memory.scan.direct",
                "memory.stalls");
    }

    @Override
    public void sample(double seconds, double[] row, int at) {
        readInfo();
        row[at] = difference(info[0], info[2]);
        row[at + 1] = difference(info[0], info[1]);
        row[at + 2] = bytes(info[3]);
        row[at + 3] = bytes(info[4]);
        readPages();
        row[at + 4] = counters.rise(0) * page / seconds;
        row[at + 5] = counters.rise(1) / seconds;
        row[at + 6] = counters.rise(2) * page / seconds;
        row[at + 7] = counters.rise(3) * page / seconds;
        row[at + 8] = (counters.rise(4) + counters.rise(5) + zeroIfUnknown(counters.rise(6))) / seconds;
        row[at + 9] = counters.rise(5) / seconds;
        row[at + 10] = counters.rise(STALLS) / seconds;
    }

    private void readInfo() {
        infoFile.read(text);
        Arrays.fill(info, KernelText.NONE);
        int left = INFO.length;
        while (left > 0 && text.nextLine()) {
            int found = text.wordIn(INFO);
            if (found >= 0) {
                info[found] = text.number();
                left--;
            }
        }
    }

    private void readPages() {
        pagesFile.read(text);
        counters.next();
        while (text.nextLine()) {
            if (text.skip(STALL)) {
                // one line for each zone, or one for all
                text.skipPast(' ');
                counters.add(STALLS, text.number());
                continue;
            }
            int found = text.wordIn(PAGES);
            if (found >= 0) {
                counters.set(found, text.number());
            }
        }
    }

    private static double zeroIfUnknown(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private static double difference(long whole, long rest) {
        return whole < 0 || rest < 0 || rest > whole ? Double.NaN : 1024.0 * (whole - rest);
    }

    private static double bytes(long kibibytes) {
        return kibibytes < 0 ? Double.NaN : 1024.0 * kibibytes;
    }

    @Override
    public void close() {
        infoFile.close();
        pagesFile.close();
    }
}
