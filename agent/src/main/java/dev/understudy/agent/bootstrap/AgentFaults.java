package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * What went wrong in the agent's own work on the application's threads, where it ended: how often, and the latest of
 * it, until the agent's threads tell of it.
 *
 * <p>Who catches something writes to these fields and calls nothing: it may be the stack that has no more room, and
 * what a call would throw then would be the application's. So the fields are there for all of the bootstrap part, and
 * for nobody else. What is expected is no fault, such as a class or method that another version of a library, or of the
 * JDK, hasn't got. Two threads that meet may lose a count. For any threads.
 */
public final class AgentFaults {
    /** By the count, and at most that many are kept. */
    public static final int LAST = 7;

    /** The latest that nobody took. */
    @SuppressWarnings("MutablePublicArray") // above
    public static final @Nullable Throwable[] MET = new @Nullable Throwable[LAST + 1];

    /** How many there were. */
    public static int count;

    private AgentFaults() {}

    /** How many there were since the JVM started, in the low 31 bits. */
    public static int count() {
        return count & Integer.MAX_VALUE;
    }

    /** One that wasn't taken yet, or null if there is none. For one thread. */
    public static @Nullable Throwable take() {
        for (int i = 0; i <= LAST; i++) {
            Throwable problem = MET[i];
            if (problem != null) {
                MET[i] = null;
                return problem;
            }
        }
        return null;
    }
}
