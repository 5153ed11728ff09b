package dev.understudy.observatory.node;

import dev.understudy.observatory.node.kernel.DiskMetrics;
import dev.understudy.observatory.node.kernel.HostMetrics;
import dev.understudy.observatory.node.kernel.MemoryMetrics;
import dev.understudy.observatory.node.kernel.NetworkMetrics;
import dev.understudy.observatory.node.kernel.PressureMetrics;
import dev.understudy.observatory.node.kernel.ProcessorMetrics;
import dev.understudy.observatory.node.process.ProcessTable;
import dev.understudy.observatory.sample.SegmentName;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Samples this machine until it is stopped. One thread does all of it: it reads files that stay open, and once a second
 * it writes what it found.
 */
public final class NodeSampler implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    private static final long SEGMENT = 60 * SECOND;
    private static final long RETRY = 5 * SECOND;

    /** A stop is seen within this time. */
    private static final long LONGEST_WAIT = SECOND / 10;

    private final NodeConfig config;
    private final Path proc;
    private final Path sys;
    private final Notices notices;
    private final SampleClock clock;
    private final SegmentFolder folder;
    private final SegmentWriter hostWriter;
    private final SegmentWriter processWriter;
    private final ProcessTable processes;
    private final List<HostMetrics> groups = new ArrayList<>();
    private final OwnCost cost;
    private DiskMetrics disks;
    private List<String> columns = List.of();
    private double[] row = {};
    private long segmentSince;
    private long processesTried = System.nanoTime() - RETRY;
    private long samples;

    private NodeSampler(NodeConfig config, Path proc, Path sys, PrintWriter out, SegmentFolder folder)
            throws IOException {
        this.config = config;
        this.proc = proc;
        this.sys = sys;
        this.folder = folder;
        notices = new Notices(out, System::nanoTime);
        clock = new SampleClock(NodeSampler::wallMicros, System::nanoTime);
        hostWriter = new SegmentWriter(folder, SegmentName.HOST, false, this::lost);
        processWriter = new SegmentWriter(folder, SegmentName.PROCESS, true, this::lost);
        processes = new ProcessTable(proc, config.processes(), notices::once, this::changed);
        groups.add(new ProcessorMetrics(proc, notices::once));
        groups.add(new MemoryMetrics(proc, notices::once));
        groups.add(new NetworkMetrics(proc, sys.resolve("class").resolve("net"), notices::once));
        groups.add(new PressureMetrics(proc, notices::once));
        disks = new DiskMetrics(proc, sys.resolve("block"), notices::once);
        cost = new OwnCost(proc, config.every(), text -> notices.atTimes(Notices.Kind.COST, text));
    }

    /**
     * Opens the folder and the kernel's files.
     *
     * @param proc where the kernel's files are, {@code /proc}
     * @param sys where its devices are, {@code /sys}
     * @param out gets messages
     * @throws IOException if the folder can't be had, a process isn't there, or this isn't Linux; says the way out
     */
    public static NodeSampler open(NodeConfig config, Path proc, Path sys, PrintWriter out) throws IOException {
        if (!proc.resolve("stat").toFile().canRead()) {
            throw new IOException(
                    proc + "/stat can't be read (expected: Linux with /proc mounted; other systems aren't "
                            + "sampled, but samples of a Linux machine may be analysed anywhere)");
        }
        SegmentFolder folder = SegmentFolder.open(config.folder(), config.keep());
        try {
            return new NodeSampler(config, proc, sys, out, folder);
        } catch (IOException none) {
            folder.close();
            throw none;
        }
    }

    private static long wallMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    /** Those of the begin have one message together. */
    private void changed(String text) {
        if (segmentSince != 0) {
            notices.atTimes(Notices.Kind.PROCESS, text);
        }
    }

    private void lost(String text) {
        notices.atTimes(Notices.Kind.WRITE, text);
    }

    /**
     * Samples until the time is over or {@code isStopped}.
     *
     * @return how many samples of the machine were taken
     */
    public long run(BooleanSupplier isStopped) {
        long start = System.nanoTime();
        long end =
                config.time().isZero() ? Long.MAX_VALUE : start + config.time().toNanos();
        TickSchedule ticks = new TickSchedule(start, config.every().toNanos());
        look();
        if (!config.processes().isEmpty()) {
            notices.once(
                    processes.size() == 0
                            ? "no process matches --process yet; it is looked for once a second"
                            : "sampled from now on: " + String.join(", ", processes.sources()));
        }
        arrangeColumns();
        long before = start;
        read(start, config.every().toNanos(), false);
        beginSegments(start);
        long second = start + SECOND;
        while (!isStopped.getAsBoolean()) {
            long due = ticks.after(before);
            if (!waitFor(due, end, isStopped)) {
                break;
            }
            long now = System.nanoTime();
            read(now, now - before, true);
            before = now;
            if (now >= second) {
                eachSecond(now);
                second = now + SECOND - (now - second) % SECOND;
            }
        }
        flush();
        return samples;
    }

    /** False if it shall end before. */
    private static boolean waitFor(long due, long end, BooleanSupplier isStopped) {
        while (true) {
            long left = due - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            if (due > end || isStopped.getAsBoolean()) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, LONGEST_WAIT));
        }
    }

    private void read(long now, long interval, boolean isWritten) {
        double seconds = interval / 1e9;
        int at = 0;
        for (int i = 0; i < groups.size(); i++) {
            HostMetrics group = groups.get(i);
            group.sample(seconds, row, at);
            at += group.metrics().size();
        }
        disks.sample(seconds, row, at);
        row[row.length - 1] = cost.share(seconds);
        long micros = clock.micros(now);
        if (isWritten) {
            samples++;
            hostWriter.row(micros, interval / 1000, null, row);
        }
        processes.sample(now, seconds, (source, values) -> {
            if (isWritten) {
                processWriter.row(micros, interval / 1000, source, values);
            }
        });
    }

    private void eachSecond(long now) {
        flush();
        look();
        cost.check(now);
        long step = clock.step();
        if (step != 0) {
            notices.atTimes(
                    Notices.Kind.CLOCK,
                    "the clock was set " + (step > 0 ? "forward" : "back") + " by " + Math.abs(step) / 1000
                            + " ms: a new segment begins, with the new time");
        }
        boolean isOver = now - segmentSince >= SEGMENT
                || step != 0
                || hostWriter.isFull()
                || processWriter.isFull()
                || (!hostWriter.isOpen() && now - segmentSince >= RETRY);
        if (isOver) {
            replaceDisks();
            beginSegments(now);
        } else if (processes.size() > 0 && !processWriter.isOpen() && now - processesTried >= RETRY) {
            beginProcessSegment(now);
        }
    }

    private void look() {
        if (!config.processes().isEmpty()) {
            processes.look();
        }
    }

    private void flush() {
        hostWriter.flush();
        processWriter.flush();
    }

    /** Disks come and go: each segment has those of its begin. */
    private void replaceDisks() {
        DiskMetrics fresh = new DiskMetrics(proc, sys.resolve("block"), notices::once);
        if (fresh.metrics().equals(disks.metrics())) {
            fresh.close();
            return;
        }
        disks.close();
        disks = fresh;
        arrangeColumns();
        // what the others have is kept: only the new one begins
        disks.sample(1, row, 0);
    }

    private void arrangeColumns() {
        List<String> all = new ArrayList<>();
        groups.forEach(group -> all.addAll(group.metrics()));
        all.addAll(disks.metrics());
        all.add(OwnCost.METRIC);
        columns = List.copyOf(all);
        row = new double[columns.size()];
    }

    private void beginSegments(long now) {
        segmentSince = now;
        hostWriter.begin(columns, clock.micros(now), processWriter);
        if (processes.size() > 0 || processWriter.isOpen()) {
            beginProcessSegment(now);
        }
    }

    private void beginProcessSegment(long now) {
        processesTried = now;
        processWriter.begin(ProcessTable.metrics(), clock.micros(now), hostWriter);
    }

    /** How many times samples couldn't be written. */
    public long lost() {
        return hostWriter.lost() + processWriter.lost();
    }

    @Override
    public void close() {
        hostWriter.close();
        processWriter.close();
        groups.forEach(HostMetrics::close);
        disks.close();
        processes.close();
        cost.close();
        folder.close();
    }
}
