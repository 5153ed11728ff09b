package dev.understudy.agent.bootstrap.allocation;

/** A class whose new objects are looked at, some of them; the agent says what is done with them. For any threads. */
public abstract class Allocation {
    /** After how many more objects one is looked at next, at least 1. Doesn't wait. */
    protected abstract int next();

    /**
     * Looks at an object whose constructor has just come to its end, on the thread that made it, and doesn't wait. What
     * is thrown is a fault of ours.
     */
    protected abstract void made(Object object);
}
