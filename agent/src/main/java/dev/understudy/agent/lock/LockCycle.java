package dev.understudy.agent.lock;

import java.util.List;

/**
 * Locks that were taken in a circle, each while the one before it was held: threads that meet in it stand still for
 * good. Immutable.
 */
public final class LockCycle {
    private final List<Step> steps;

    LockCycle(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** The circle, from the one that was seen last; each takes what the next holds. */
    public List<Step> steps() {
        return steps;
    }

    /** A thread took one lock of the circle while it held another. */
    public static final class Step {
        private final String type;
        private final int heldAt;
        private final int takenAt;
        private final String thread;
        private final List<String> stack;

        Step(String type, int heldAt, int takenAt, String thread, List<String> stack) {
            this.type = type;
            this.heldAt = heldAt;
            this.takenAt = takenAt;
            this.thread = thread;
            this.stack = stack;
        }

        /** The class of the lock that it held. */
        public String type() {
            return type;
        }

        /** The number of the place where it had taken that. */
        public int heldAt() {
            return heldAt;
        }

        /** The number of the place where it took the other. */
        public int takenAt() {
            return takenAt;
        }

        /** The name of the thread in which that was seen first; may be empty. */
        public String thread() {
            return thread;
        }

        /** The innermost frames of its stack then, as {@code class#method:line}. */
        public List<String> stack() {
            return stack;
        }
    }
}
