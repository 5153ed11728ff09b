package dev.understudy.it.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of a process tree by thread name, from the kernel's scheduler ({@code /proc/PID/task/TID/schedstat},
 * nanoseconds).
 */
public record CpuTimes(Map<String, Long> nanosByThread) {
    public static CpuTimes of(List<ProcessHandle> roots) {
        Map<String, Long> nanos = new HashMap<>();
        roots.stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .forEach(process -> add(process.pid(), nanos));
        return new CpuTimes(Map.copyOf(nanos));
    }

    private static void add(long pid, Map<String, Long> nanos) {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    String[] fields =
                            Files.readString(task.resolve("schedstat")).split(" ", 2);
                    nanos.merge(name, Long.parseLong(fields[0]), Long::sum);
                } catch (IOException ended) {
                    nanos.putIfAbsent("ended", 0L);
                }
            }
        } catch (IOException ended) {
            nanos.putIfAbsent("ended", 0L);
        }
    }

    /** What was used since {@code before} by the threads whose names begin with {@code prefix}. */
    public long since(CpuTimes before, String prefix) {
        return sum(prefix) - before.sum(prefix);
    }

    /** Of all threads, in nanoseconds. */
    public long total() {
        return sum("");
    }

    private long sum(String prefix) {
        return nanosByThread.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
