package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.measure.Reading;
import org.jspecify.annotations.Nullable;

/**
 * One sampled call, from a woven method's entry to its exit; the token that the method keeps in a local variable.
 *
 * <p>Being a local of the call itself it is right under recursion, exceptions and virtual threads, and a call
 * that never exits leaves nothing behind. Confined to the calling thread until it has ended.
 */
public final class CallSample {
    /** The probe's number. */
    public final int probe;
    /** The exchange the call belongs to, or null outside of any. */
    public final @Nullable ServedExchange exchange;
    /** The sampled call around this one in the same exchange, or null if there is none. */
    public final @Nullable CallSample parent;
    /** The number the call's span will have; 0 when there will be none. */
    public final long spanId;

    /** Its event in a flight recording, or null if there is none. */
    @Nullable
    Object flight;

    /** What it is measured with, or null if it isn't. */
    @Nullable
    Reading reading;

    long selfNanos;
    long startNanos;
    long endNanos;

    @Nullable
    String thrown;

    CallSample(int probe, @Nullable ServedExchange exchange, @Nullable CallSample parent, long spanId) {
        this.probe = probe;
        this.exchange = exchange;
        this.parent = parent;
        this.spanId = spanId;
    }

    /** When the call began, in {@link System#nanoTime()}. */
    public long startNanos() {
        return startNanos;
    }

    /** When the call ended, in {@link System#nanoTime()}. */
    public long endNanos() {
        return endNanos;
    }

    /** The id of the thread that makes the call; for that thread. */
    public long thread() {
        return Threads.id(Thread.currentThread());
    }

    /** The class name of what the call threw, or null if it returned. */
    public @Nullable String thrown() {
        return thrown;
    }

    /** What it was measured with, or null if it wasn't. */
    public @Nullable Reading reading() {
        return reading;
    }
}
