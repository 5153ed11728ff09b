package dev.understudy.agent.bootstrap.lock;

import java.util.List;

/** A thread took a lock while it held others. Immutable. */
public final class Nesting {
    private final List<LockRef> held;
    private final List<Integer> heldAt;
    private final LockRef taken;
    private final int takenAt;
    private final String thread;
    private final List<String> stack;

    Nesting(List<LockRef> held, List<Integer> heldAt, LockRef taken, int takenAt, String thread, List<String> stack) {
        this.held = held;
        this.heldAt = heldAt;
        this.taken = taken;
        this.takenAt = takenAt;
        this.thread = thread;
        this.stack = stack;
    }

    /** The locks that it held, at least one, in the order in which it took them. */
    public List<LockRef> held() {
        return held;
    }

    /** The numbers of the places where it took these. */
    public List<Integer> heldAt() {
        return heldAt;
    }

    /** The lock that it took then. */
    public LockRef taken() {
        return taken;
    }

    /** The number of the place where. */
    public int takenAt() {
        return takenAt;
    }

    /** The thread's name; may be empty. */
    public String thread() {
        return thread;
    }

    /** The innermost frames of its stack, as {@code class#method:line}. */
    public List<String> stack() {
        return stack;
    }
}
