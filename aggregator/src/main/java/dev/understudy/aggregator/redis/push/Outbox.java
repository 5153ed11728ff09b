package dev.understudy.aggregator.redis.push;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What one debug connection is to be told unasked, in production's order. Guarded by {@link Subscriptions}. */
public final class Outbox {
    final Runnable wake;
    final PriorityQueue<Message> messages = new PriorityQueue<>(Message.IN_ORDER);
    final Map<Topic, Subscription> taken = new LinkedHashMap<>();

    /** When the debug connection was last given something: a subscription or a message. */
    long lastNanos;

    /** Why messages of it are lost, so that it gets no more; null if none are. */
    @Nullable
    String broken;

    /**
     * Makes an empty one.
     *
     * @param wake told, on any thread and outside of locks, that there is something new
     */
    public Outbox(Runnable wake) {
        this.wake = wake;
    }
}
