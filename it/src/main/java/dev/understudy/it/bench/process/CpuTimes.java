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
 * CPU time of a process tree by thread, from the kernel's scheduler ({@code /proc/PID/task/TID/schedstat},
 * nanoseconds).
 */
public record CpuTimes(Map<String, Task> byThread) {
    /**
     * A thread as the kernel has it.
     *
     * @param name its first 15 bytes
     * @param nanos what it has used since its start
     */
    public record Task(String name, long nanos) {}

    public static CpuTimes of(List<ProcessHandle> roots) {
        Map<String, Task> tasks = new HashMap<>();
        roots.stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .forEach(process -> add(process.pid(), tasks));
        return new CpuTimes(Map.copyOf(tasks));
    }

    private static void add(long pid, Map<String, Task> tasks) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : folders) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    String[] fields =
                            Files.readString(task.resolve("schedstat")).split(" ", 2);
                    tasks.put(task.getFileName().toString(), new Task(name, Long.parseLong(fields[0])));
                } catch (IOException ended) {
                    // the thread has, and counts with nothing
                }
            }
        } catch (IOException ended) {
            // the process has
        }
    }

    /**
     * What was used since {@code before} by the threads whose names begin with {@code prefix}. One that has ended in
     * between counts with nothing, since nobody knows what it used last, and takes nothing away from the others.
     */
    public long since(CpuTimes before, String prefix) {
        return byThread.entrySet().stream()
                .filter(entry -> entry.getValue().name().startsWith(prefix))
                .mapToLong(entry -> entry.getValue().nanos() - before.used(entry.getKey()))
                .sum();
    }

    /** Of all threads that live, in nanoseconds. */
    public long total() {
        return since(new CpuTimes(Map.of()), "");
    }

    private long used(String thread) {
        Task task = byThread.get(thread);
        return task == null ? 0 : task.nanos();
    }
}
