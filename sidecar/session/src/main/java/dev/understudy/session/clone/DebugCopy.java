package dev.understudy.session.clone;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;

/**
 * A copy that runs.
 *
 * @param state what it began with
 * @param pid its process, as this machine counts
 * @param startTicks when it began, in clock ticks since the machine's start: with the pid, it names one process
 */
public record DebugCopy(CopyState state, long pid, long startTicks) {
    /** Whether it still runs. */
    public boolean isAlive() {
        try {
            return ProcessStart.ticks(pid) == startTicks;
        } catch (IOException ended) {
            return false;
        }
    }
}
