package dev.understudy.session.network;

import java.nio.file.Path;
import java.util.List;

/**
 * Locks that last as long as a program's process does, whatever ends it: who waits for one is woken by the kernel.
 *
 * @param directory where they are; the session's own
 */
public record ProgramLock(Path directory) {
    /** The shell's pid stays that of the program, and the program inherits the file and its lock, flock(2). */
    private static final String HOLD = "exec 9>\"$0.$$\" && flock -n 9 && exec \"$@\"";

    /** What starts a program that holds a lock; its words follow. */
    public List<String> words() {
        return List.of("sh", "-c", HOLD, directory.resolve("alive").toString());
    }

    /** The lock of a process. */
    Path file(long pid) {
        return directory.resolve("alive." + pid);
    }
}
