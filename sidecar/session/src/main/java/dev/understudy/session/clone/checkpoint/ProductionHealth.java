package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.host.HostCommand;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Proves after a snapshot that the service runs on: the same process, not traced, and none of its threads stopped. */
public final class ProductionHealth {
    private static final int TRIES = 50;
    private static final int CONTINUE_AT = 25;

    private final TargetProcess target;

    public ProductionHealth(TargetProcess target) {
        this.target = target;
    }

    /** What is wrong with it; "" if nothing is. A thread that stays stopped is continued. */
    public String problem() throws InterruptedException {
        String problem = "";
        for (int i = 0; i < TRIES; i++) {
            problem = look();
            if (problem.isEmpty() || !isRunning()) {
                return problem;
            }
            if (i == CONTINUE_AT) {
                resume();
            }
            Thread.sleep(20);
        }
        return problem;
    }

    /** Whether it has ended, or does within a moment: a process that was killed may be listed for a while. */
    boolean hasEnded() throws InterruptedException {
        for (int i = 0; i < CONTINUE_AT && isRunning(); i++) {
            Thread.sleep(20);
        }
        return !isRunning();
    }

    private boolean isRunning() {
        List<String> stat = ProcFile.stat(target.pid());
        return ProcFile.startTicks(target.pid()) == target.startTicks()
                && !"ZX".contains(stat.isEmpty() ? "X" : stat.get(0));
    }

    private String look() {
        if (!isRunning()) {
            return "process " + target.pid() + " has ended; look into the service's own log";
        }
        for (Path thread : ProcFile.entries(ProcFile.of(target.pid(), "task"))) {
            Map<String, String> status = ProcFile.values(thread.resolve("status"));
            String state = status.getOrDefault("State", "");
            long tracer = ProcFile.number(status.get("TracerPid"));
            if (state.startsWith("T") || state.startsWith("t") || tracer != 0) {
                return "thread " + thread.getFileName() + " of process " + target.pid() + " is stopped (" + state
                        + ", tracer " + tracer + "); continue it with: kill -CONT " + target.pid();
            }
        }
        return "";
    }

    private void resume() throws InterruptedException {
        try {
            HostCommand.run(Duration.ofSeconds(5), List.of("kill", "-CONT", Long.toString(target.pid())));
        } catch (IOException noProgram) {
            // the problem is reported
        }
    }
}
