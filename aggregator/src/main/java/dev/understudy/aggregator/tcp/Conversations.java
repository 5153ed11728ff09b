package dev.understudy.aggregator.tcp;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Production's connections to one upstream by their number, each until the debug connection with that number has come.
 *
 * <p>Numbers count from 1 on either side. A conversation that was dropped leaves a gap: the connections that follow
 * aren't paired with others for it. Safe for all threads: the maps are guarded by {@code this}, and no callback runs
 * under the lock.
 */
final class Conversations {
    /** That nobody has taken. */
    private static final int MOST = 10_000;

    /** How often those that are too old are looked for. */
    private static final long EVERY_NANOS = 1_000_000_000;

    private final long capacity;
    private final long ageNanos;
    private final LongSupplier clock;
    private final AtomicLong bytes = new AtomicLong();
    private final Map<Long, Conversation> untaken = new LinkedHashMap<>();
    private final Map<Long, Wish> wishes = new HashMap<>();
    /** Numbers of debug connections that went before production's came. */
    private final BitSet absent = new BitSet();

    private long opened;
    private long asked;
    private long lookedNanos;

    /** @param capacity bytes of all together */
    Conversations(long capacity, long ageNanos, LongSupplier clock) {
        this.capacity = capacity;
        this.ageNanos = ageNanos;
        this.clock = clock;
        this.lookedNanos = clock.getAsLong();
    }

    /** Production's next connection. */
    Opened open() {
        Conversation next;
        Wish wish;
        int dropped;
        synchronized (this) {
            next = new Conversation(++opened, this);
            wish = wishes.remove(next.number);
            if (wish == null && absent.get((int) next.number)) {
                next.drop();
            } else if (wish == null) {
                untaken.put(next.number, next);
            }
            dropped = expire();
        }
        if (wish != null) {
            wish.loop.execute(() -> wish.then.accept(next));
        }
        return new Opened(next, dropped);
    }

    /** The number of the debug side's next connection. */
    synchronized long ask() {
        return ++asked;
    }

    /** Why there can't be a conversation of this number; null if there is one, or may be. */
    synchronized @Nullable String gone(long number) {
        return number <= opened && !untaken.containsKey(number)
                ? "what production's connection said wasn't kept for so long"
                : null;
    }

    /** Gives the conversation with this number, before this returns or later on {@code loop}. */
    void take(long number, Executor loop, Consumer<Conversation> then) {
        Conversation there;
        synchronized (this) {
            there = untaken.remove(number);
            if (there == null) {
                wishes.put(number, new Wish(loop, then));
            }
        }
        if (there != null) {
            then.accept(there);
        }
    }

    /** The debug connection of this number has gone without having taken anything. */
    synchronized void leave(long number) {
        wishes.remove(number);
        Conversation its = untaken.remove(number);
        if (its != null) {
            its.drop();
        } else if (number > opened && number < Integer.MAX_VALUE) {
            absent.set((int) number);
        }
    }

    /** Nobody waits for this number any more; false if the conversation is on its way. */
    synchronized boolean withdraw(long number) {
        boolean waited = wishes.remove(number) != null;
        if (waited) {
            absent.set((int) number);
        }
        return waited;
    }

    /** Bytes that all hold. */
    long bytes() {
        return bytes.get();
    }

    long now() {
        return clock.getAsLong();
    }

    boolean reserve(long held, long more) {
        if (held + more > Math.max(1, capacity / 8)) {
            return false;
        }
        if (bytes.addAndGet(more) > capacity) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void release(long less) {
        bytes.addAndGet(-less);
    }

    private int expire() {
        long now = now();
        if (untaken.size() <= MOST && now - lookedNanos < EVERY_NANOS) {
            return 0;
        }
        lookedNanos = now;
        int dropped = 0;
        for (Iterator<Conversation> all = untaken.values().iterator(); all.hasNext(); ) {
            Conversation next = all.next();
            if (untaken.size() > MOST || next.overBefore(now - ageNanos)) {
                all.remove();
                next.drop();
                dropped++;
            }
        }
        return dropped;
    }

    /** @param dropped how many conversations had to go that nobody had asked for */
    record Opened(Conversation conversation, int dropped) {}

    private record Wish(Executor loop, Consumer<Conversation> then) {}
}
