package dev.understudy.it.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * CPU time of process trees with that of children which have ended and were waited for ({@code /proc/PID/stat}, in
 * hundredths of a second).
 */
public record CpuTicks(long ticks) {
    private static final long NANOS = 10_000_000;

    /** Fields after the command's name: user and system time, and the same of children. */
    private static final int FIRST = 11;

    private static final int LAST = 14;

    public static CpuTicks of(List<Tool> roots) {
        return new CpuTicks(roots.stream()
                .map(Tool::handle)
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .mapToLong(process -> of(process.pid()))
                .sum());
    }

    private static long of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long sum = 0;
            for (int field = FIRST; field <= LAST; field++) {
                sum += Long.parseLong(fields[field]);
            }
            return sum;
        } catch (IOException ended) {
            return 0;
        }
    }

    /** Nanoseconds since {@code before}. */
    public long since(CpuTicks before) {
        return (ticks - before.ticks) * NANOS;
    }
}
