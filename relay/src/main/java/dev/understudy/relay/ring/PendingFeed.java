package dev.understudy.relay.ring;

import org.jspecify.annotations.Nullable;

/** What can be in a {@link RelayRing}'s list of those that wait for room. Confined to the relay loop. */
abstract class PendingFeed {
    /** Whether it is in the list. */
    boolean waits;

    /** The next in the list. */
    @Nullable
    PendingFeed next;

    /** When the first of what it couldn't say happened, {@link System#nanoTime()}. */
    abstract long since();

    /** Says what there was no room for; false if there still is none. */
    abstract boolean flush();

    /** Ends the copy, by a defect. Doesn't throw. */
    public abstract void fail(Throwable e);
}
