package dev.understudy.it.overhead.work;

/** One method with next to no work of its own, so that what a call costs is what looking at it costs. */
public final class Callee {
    private long state = 88172645463325252L;

    /** The next of a sequence of numbers; each depends on the one before, so no call can be left out. */
    public long step() {
        long next = state;
        next ^= next << 13;
        next ^= next >>> 7;
        next ^= next << 17;
        state = next;
        return next;
    }
}
