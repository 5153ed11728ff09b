package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/** The task of a virtual thread, which nobody but that thread sees, for the exchange that started it. */
final class Carried implements Runnable {
    private final TaskOrigins.Entry entry;
    private final Runnable task;

    Carried(TaskOrigins.Entry entry, Runnable task) {
        this.entry = entry;
        this.task = task;
    }

    @Override
    public void run() {
        Object token = begun();
        try {
            task.run();
        } finally {
            Handover.end(token);
        }
    }

    private @Nullable Object begun() {
        try {
            return Handover.begin(entry);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }
}
