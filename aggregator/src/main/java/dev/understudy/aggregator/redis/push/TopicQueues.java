package dev.understudy.aggregator.redis.push;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Topic by topic, the subscriptions that nobody has, and who waits for one. Guarded by {@link Subscriptions}. */
final class TopicQueues {
    private final Map<Topic, PriorityQueue<Subscription>> untaken = new HashMap<>();
    private final Map<Topic, ArrayDeque<TopicRequest>> waiting = new HashMap<>();

    void add(Subscription subscription) {
        untaken.computeIfAbsent(subscription.topic, none -> new PriorityQueue<>(Subscription.IN_ORDER))
                .add(subscription);
    }

    /** The oldest subscription to a topic, which stays; null if there is none. */
    @Nullable
    Subscription oldest(Topic topic) {
        PriorityQueue<Subscription> all = untaken.get(topic);
        return all == null ? null : all.peek();
    }

    void remove(Subscription subscription) {
        PriorityQueue<Subscription> all = untaken.get(subscription.topic);
        if (all != null && all.remove(subscription) && all.isEmpty()) {
            untaken.remove(subscription.topic);
        }
    }

    void add(TopicRequest wish) {
        waiting.computeIfAbsent(wish.topic(), none -> new ArrayDeque<>()).add(wish);
    }

    /** Takes who has waited longest for a topic; null if nobody does. */
    @Nullable
    TopicRequest waiting(Topic topic) {
        ArrayDeque<TopicRequest> wishes = waiting.get(topic);
        TopicRequest first = wishes == null ? null : wishes.poll();
        if (wishes != null && wishes.isEmpty()) {
            waiting.remove(topic);
        }
        return first;
    }

    /** False if it doesn't wait any more. */
    boolean remove(TopicRequest wish) {
        ArrayDeque<TopicRequest> wishes = waiting.get(wish.topic());
        boolean waited = wishes != null && wishes.remove(wish);
        if (wishes != null && wishes.isEmpty()) {
            waiting.remove(wish.topic());
        }
        return waited;
    }
}
