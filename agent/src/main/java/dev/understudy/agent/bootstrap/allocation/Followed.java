package dev.understudy.agent.bootstrap.allocation;

import java.lang.ref.WeakReference;

/** An object whose uses are told of, held weakly; the agent says what is done with them. For any threads. */
public abstract class Followed extends WeakReference<Object> {
    final int hash;

    /** Of {@code object}; nothing is told before {@link Uses#follow}. */
    protected Followed(Object object) {
        super(object);
        hash = System.identityHashCode(object);
    }

    /**
     * A method of the object begins, on the thread that called it, and doesn't wait for this. What is thrown is a fault
     * of ours.
     */
    protected abstract void used();

    /** As {@link #used}, while nothing may be looked at. */
    protected abstract void missed();
}
