package dev.understudy.agent.bootstrap.lock;

import java.util.List;

/** A thread took a lock while it held others. Immutable. */
public final class Nesting {
    private final List<Holding> held;
    private final Holding taken;
    private final String thread;
    private final List<String> stack;

    Nesting(List<Holding> held, Holding taken, String thread, List<String> stack) {
        this.held = held;
        this.taken = taken;
        this.thread = thread;
        this.stack = stack;
    }

    /** The locks that it held, at least one, in the order in which it took them. */
    public List<Holding> held() {
        return held;
    }

    /** The lock that it took then. */
    public Holding taken() {
        return taken;
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
