package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.util.function.Consumer;

/**
 * Tells once of faults of the agent's own that stayed inside it; all of them are counted in its reports. Confined to
 * one thread.
 */
public final class FaultLine {
    private final Consumer<String> lines;
    private boolean told;

    /** One that gives {@code lines} what it tells. */
    public FaultLine(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Tells of the first, if there was one meanwhile, and lets go of what is kept of the others. */
    public void look() {
        for (Throwable problem = AgentFaults.take(); problem != null; problem = AgentFaults.take()) {
            if (!told) {
                told = true;
                StackTraceElement[] stack = problem.getStackTrace();
                lines.accept("a fault of the agent's own stayed inside it: " + problem
                        + (stack.length == 0 ? "" : " at " + stack[0]) + "; its reports count any further");
            }
        }
    }
}
