package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.ExecutionRecorder.End;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What methods call that are woven to record whole executions: those of the few exchanges that an experiment sends.
 *
 * <p>{@link #begins} decides before anything is collected; each value is {@code put}, and {@link #begun} hands them to
 * the recorder. For all other exchanges that is a null handed on, so that woven code needs no jump. A call that begins
 * while the recorder looks at a value isn't recorded.
 */
public final class Executions {
    /** How many methods can be woven in a JVM's life: a number isn't given out twice. */
    public static final int CAPACITY = Short.MAX_VALUE;

    private static final ThreadLocal<Boolean> LOOKING = new ThreadLocal<>();
    private static volatile @Nullable ExecutionRecorder recorder;

    private Executions() {}

    /** From now on it records; null for nobody. */
    public static void recordBy(@Nullable ExecutionRecorder next) {
        recorder = next;
    }

    /** A call begins; what its values are put into, or null if they aren't wanted. */
    public static @Nullable Object begins(int method) {
        try {
            ExecutionRecorder now = recorder;
            if (now == null || LOOKING.get() != null) {
                return null;
            }
            ServedExchange exchange = ServedExchanges.current();
            return exchange != null && now.wants(exchange) ? new Beginning(now, exchange, method) : null;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object beginning, boolean value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object beginning, char value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** The next value: an int, short or byte. */
    public static @Nullable Object put(@Nullable Object beginning, int value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object beginning, long value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object beginning, float value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object beginning, double value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object beginning, @Nullable Object value) {
        return beginning == null ? null : ((Beginning) beginning).put(value);
    }

    /** All values are put. */
    public static void begun(@Nullable Object beginning) {
        if (beginning == null) {
            return;
        }
        Beginning call = (Beginning) beginning;
        try {
            LOOKING.set(true);
            try {
                call.recorder.begins(call.exchange, call.method, Arrays.copyOf(call.values, call.count));
            } finally {
                LOOKING.remove();
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    /** A call ends that returns nothing. */
    public static void returns(int method) {
        ends(method, End.RETURNED_NOTHING, null);
    }

    /** A call ends. */
    public static void returns(boolean value, int method) {
        if (recorder != null) {
            ends(method, End.RETURNED, value);
        }
    }

    /** A call ends. */
    public static void returns(char value, int method) {
        if (recorder != null) {
            ends(method, End.RETURNED, value);
        }
    }

    /** A call ends, with an int, short or byte. */
    public static void returns(int value, int method) {
        if (recorder != null) {
            ends(method, End.RETURNED, value);
        }
    }

    /** A call ends. */
    public static void returns(long value, int method) {
        if (recorder != null) {
            ends(method, End.RETURNED, value);
        }
    }

    /** A call ends. */
    public static void returns(float value, int method) {
        if (recorder != null) {
            ends(method, End.RETURNED, value);
        }
    }

    /** A call ends. */
    public static void returns(double value, int method) {
        if (recorder != null) {
            ends(method, End.RETURNED, value);
        }
    }

    /** A call ends. */
    public static void returns(@Nullable Object value, int method) {
        ends(method, End.RETURNED, value);
    }

    /** A call ends by an exception. */
    public static void throwing(Throwable problem, int method) {
        ends(method, End.THREW, problem);
    }

    private static void ends(int method, End how, @Nullable Object value) {
        ExecutionRecorder now = recorder;
        if (now == null) {
            return;
        }
        try {
            if (LOOKING.get() != null) {
                return;
            }
            ServedExchange exchange = ServedExchanges.current();
            if (exchange == null || !now.wants(exchange)) {
                return;
            }
            LOOKING.set(true);
            try {
                now.ends(exchange, method, how, value);
            } finally {
                LOOKING.remove();
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    /** A call whose values are collected. */
    private static final class Beginning {
        private static final int ROOM = 6;

        private final ExecutionRecorder recorder;
        private final ServedExchange exchange;
        private final int method;
        private @Nullable Object[] values = new @Nullable Object[ROOM];
        private int count;

        Beginning(ExecutionRecorder recorder, ServedExchange exchange, int method) {
            this.recorder = recorder;
            this.exchange = exchange;
            this.method = method;
        }

        Beginning put(@Nullable Object value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value;
            return this;
        }
    }
}
