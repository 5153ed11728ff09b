package dev.understudy.session.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** When a process began: with its pid, that names one process, whatever is started later. */
public final class ProcessStart {
    /** Of the fields of {@code /proc/PID/stat} behind the name, counted from 0. */
    private static final int START = 19;

    private ProcessStart() {}

    /**
     * The start of a process, in clock ticks since the machine's start.
     *
     * @throws IOException if there is no such process
     */
    public static long ticks(long pid) throws IOException {
        String stat =
                new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")), StandardCharsets.UTF_8);
        // the name is in brackets, and may hold anything
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length <= START) {
            throw new IOException(
                    "/proc/" + pid + "/stat: " + fields.length + " fields (expected: more than " + START + ")");
        }
        return Long.parseLong(fields[START]);
    }
}
