package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/** A thread goes from one exchange to another. Immutable, but for what links it to others; that is the taker's. */
public final class ThreadSwitch {
    /** The thread's id. */
    public final long thread;
    /** When, as {@link System#nanoTime()} has it. */
    public final long nanos;
    /** What it worked on before; null for no exchange. */
    public final @Nullable ExchangeKey from;
    /** What it works on from then on; null for no exchange. */
    public final @Nullable ExchangeKey to;

    @Nullable
    ThreadSwitch before;

    int count;

    ThreadSwitch(long thread, long nanos, @Nullable ExchangeKey from, @Nullable ExchangeKey to) {
        this.thread = thread;
        this.nanos = nanos;
        this.from = from;
        this.to = to;
    }

    /** Takes the one that was put into {@link ThreadSwitches} before, of any thread, from it; null if there is none. */
    public @Nullable ThreadSwitch unlink() {
        ThreadSwitch next = before;
        before = null;
        return next;
    }
}
