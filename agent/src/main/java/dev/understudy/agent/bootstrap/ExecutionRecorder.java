package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/** Who records whole executions; the agent says which, and what becomes of them. For any threads; never waits. */
public abstract class ExecutionRecorder {
    /** One that records nothing yet. */
    protected ExecutionRecorder() {}

    /** Whether what is done for that exchange is recorded now. */
    protected abstract boolean wants(ServedExchange exchange);

    /**
     * A call begins on this thread. What is thrown is a fault of ours.
     *
     * @param values the receiver, unless it has none, and the arguments
     */
    protected abstract void begins(ServedExchange exchange, int method, @Nullable Object[] values);

    /**
     * A call ends on this thread. What is thrown is a fault of ours.
     *
     * @param how it ended
     * @param value what it returned or threw; null for nothing
     */
    protected abstract void ends(ServedExchange exchange, int method, End how, @Nullable Object value);

    /** How a call ends. */
    public enum End {
        RETURNED,
        RETURNED_NOTHING,
        THREW
    }
}
