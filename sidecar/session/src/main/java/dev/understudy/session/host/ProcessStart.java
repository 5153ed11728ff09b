package dev.understudy.session.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * When a process began, in clock ticks since the machine's start: with its pid, that names one process, whatever is
 * started later.
 */
public final class ProcessStart {
    /** Of the fields of {@code /proc/PID/stat}, proc_pid_stat(5); counted behind the name, which is the second one. */
    private static final int START_TIME = 22 - 3;

    private ProcessStart() {}

    /**
     * The start of a process.
     *
     * @throws IOException if there is no such process
     */
    public static long ticks(long pid) throws IOException {
        Path file = Path.of("/proc", Long.toString(pid), "stat");
        return ticks(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                .orElseThrow(() -> new IOException(file + ": no start time in it"));
    }

    /** The start that the text of a {@code stat} file has; empty if it has none. */
    public static OptionalLong ticks(String stat) {
        int name = stat.lastIndexOf(')'); // the name may hold blanks and brackets
        String[] fields = stat.substring(name + 1).strip().split(" ", START_TIME + 2);
        try {
            return name < 0 || fields.length <= START_TIME
                    ? OptionalLong.empty()
                    : OptionalLong.of(Long.parseUnsignedLong(fields[START_TIME]));
        } catch (NumberFormatException none) {
            return OptionalLong.empty();
        }
    }
}
