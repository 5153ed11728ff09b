package dev.understudy.session.target;

import dev.understudy.session.host.ProcessStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A running process that is to be debugged. Production's: nothing here changes it.
 *
 * @param pid its process, as this machine counts
 * @param startTicks when it began, in clock ticks since the machine's start: with the pid, it names one process
 * @param uid its effective user
 * @param gid its effective group
 * @param command the command line, program first
 * @param workingDirectory as the process sees it
 */
public record TargetProcess(long pid, long startTicks, int uid, int gid, List<String> command, Path workingDirectory) {
    public TargetProcess {
        command = List.copyOf(command);
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        try {
            return ProcessStart.ticks(pid) == startTicks;
        } catch (IOException ended) {
            return false;
        }
    }
}
