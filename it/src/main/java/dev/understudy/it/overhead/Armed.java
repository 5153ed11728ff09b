package dev.understudy.it.overhead;

import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.bootstrap.Timings;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How all gates and probes of a JVM stand. */
public enum Armed {
    /** There is no agent of ours. */
    ABSENT,
    /** Gates closed. */
    CLOSED,
    /** Gates open, but every method is off. */
    OFF,
    /** Gates open, nothing sampled: calls are counted. */
    COUNTED,
    /** One call in a hundred is timed. */
    HUNDREDTH,
    /** Every call is timed. */
    TIMED,
    /** Every operation is an exchange that is observed whole. */
    OBSERVED;

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /** Sets gates and periods; called again from time to time, it renews what is used up. */
    public void set() {
        if (this != ABSENT) {
            Probing.set(this);
        }
    }

    /** Begins an operation; what it returns goes to {@link #end}. */
    public @Nullable Object begin() {
        return this == OBSERVED ? Probing.begin() : null;
    }

    /** Ends it. */
    public void end(@Nullable Object exchange) {
        if (exchange != null) {
            ServedExchanges.exit(exchange);
            Observations.poll();
        }
    }

    /** How many calls were seen since the JVM began, all probes together. */
    long hits() {
        return this == ABSENT
                ? 0
                : IntStream.range(0, Probes.CAPACITY).mapToLong(Probes::hits).sum();
    }

    /** How many were timed. */
    long samples() {
        return this == ABSENT
                ? 0
                : IntStream.range(0, Probes.CAPACITY)
                        .mapToLong(Timings::samples)
                        .sum();
    }

    /** How many exchanges were observed. */
    long observed() {
        return this == ABSENT ? 0 : Observations.taken();
    }

    /** Loaded only where the agent's bootstrap part is. */
    private static final class Probing {
        private static final MethodHandle BEGIN = handle();
        private static final int[] ALL = IntStream.range(0, Gates.CAPACITY).toArray();

        private static @Nullable Armed now;

        static synchronized void set(Armed armed) {
            Credit.set(Integer.MAX_VALUE);
            Observations.allow(armed == OBSERVED ? 1 : 0, Integer.MAX_VALUE);
            if (now == armed) {
                return;
            }
            now = armed;
            Gates.set(armed != CLOSED, ALL);
            int period = armed == TIMED ? 1 : armed == HUNDREDTH ? 100 : 0;
            for (int probe = 0; probe < Probes.CAPACITY; probe++) {
                Probes.arm(probe, period);
            }
            Map<Integer, int[]> off = WeavingOnly.probes();
            if (armed != OFF) {
                off.replaceAll((gate, probes) -> new int[0]);
            }
            Gates.leaveOut(off);
        }

        static @Nullable Object begin() {
            try {
                return BEGIN.invoke(PARENT);
            } catch (Throwable problem) {
                throw new IllegalStateException(problem);
            }
        }

        /** What a woven server calls, behind its link. */
        private static MethodHandle handle() {
            try {
                Method begin = ServedExchanges.class.getDeclaredMethod("begin", String.class);
                begin.setAccessible(true);
                return MethodHandles.lookup()
                        .unreflect(begin)
                        .asType(MethodType.methodType(Object.class, String.class));
            } catch (ReflectiveOperationException changed) {
                throw new LinkageError("Exchanges.begin", changed);
            }
        }
    }
}
