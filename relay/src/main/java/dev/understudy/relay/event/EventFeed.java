package dev.understudy.relay.event;

import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest things that happened, and who follows them.
 *
 * <p>Thread-safe; the ring is guarded by {@code this}, and held for no longer than it takes to put one reference into
 * it. Publishing costs that and a wake-up of each caller's thread, so it is for any thread but a relay loop. What is
 * said is written as JSON later, on the control thread.
 */
public final class EventFeed {
    private final ServerEvent[] ring;
    private final int mostCallers;
    private final String run;
    private final State state;
    private final Set<FeedStream> callers = ConcurrentHashMap.newKeySet();
    private final LongAdder missed = new LongAdder();
    private volatile BiConsumer<String, Map<String, Object>> listener = (name, said) -> {};
    private long last;

    /**
     * What is told as it stands rather than as it changes.
     *
     * @param name of its events
     * @param period at most one event of each in that time, and none while nothing has changed but its {@code at}
     * @param now always as many of them, in the same order; read on the control thread
     */
    public record State(String name, Duration period, Supplier<List<Map<String, Object>>> now) {}

    /**
     * A feed in which nothing has happened.
     *
     * @param size so many happenings are kept
     * @param mostCallers so many may follow at a time
     * @param startedMillis tells this process's events from those of one before it, in their ids
     */
    public EventFeed(int size, int mostCallers, long startedMillis, State state) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + " (expected: >= 1)");
        }
        this.ring = new ServerEvent[size];
        this.mostCallers = mostCallers;
        this.run = Long.toString(startedMillis, Character.MAX_RADIX) + "-";
        this.state = state;
    }

    /**
     * Tells everybody who follows.
     *
     * @param said a few hundred bytes as JSON; not to be changed any more
     */
    public void publish(String name, Map<String, Object> said) {
        synchronized (this) {
            last++;
            ring[(int) (last % ring.length)] = new ServerEvent(last, name, said);
        }
        listener.accept(name, said);
        callers.forEach(FeedStream::wake);
    }

    /** From now on {@code each} gets every event's name and content, on the thread that publishes it; keep it short. */
    public void listen(BiConsumer<String, Map<String, Object>> each) {
        listener = each;
    }

    /** Happenings so far. */
    public synchronized long published() {
        return last;
    }

    /** Happenings that somebody who followed didn't get, since they came faster than they were read. */
    public long missed() {
        return missed.sum();
    }

    /** Who follows now. */
    public int callers() {
        return callers.size();
    }

    /** Why nobody more may follow, or null if one may. */
    public @Nullable String refusal() {
        return callers.size() < mostCallers
                ? null
                : callers.size() + " callers follow the events already (expected: at most " + mostCallers + ")";
    }

    /** What serves one more caller: the last handler of its pipeline, behind an HTTP codec; for the control thread. */
    public ChannelHandler open(@Nullable String lastId) {
        return new FeedStream(this, state, lastId);
    }

    void joined(FeedStream caller) {
        callers.add(caller);
    }

    void left(FeedStream caller) {
        callers.remove(caller);
    }

    void missed(long count) {
        missed.add(count);
    }

    /** The oldest that is kept of those after {@code number}; null if there is none. */
    synchronized @Nullable ServerEvent after(long number) {
        if (number >= last) {
            return null;
        }
        long oldest = Math.max(1, last - ring.length + 1);
        return ring[(int) (Math.max(number + 1, oldest) % ring.length)];
    }

    /** The id under which that happening is told. */
    String id(long number) {
        return run + number;
    }

    /** The number of the happening with that id; -1 if it isn't one of this process. */
    long number(String id) {
        if (!id.startsWith(run)) {
            return -1;
        }
        try {
            long number = Long.parseLong(id.substring(run.length()));
            return number >= 0 && number <= published() ? number : -1;
        } catch (NumberFormatException none) {
            return -1;
        }
    }
}
