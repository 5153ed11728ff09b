package dev.understudy.aggregator.redis.push;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A debug connection that subscribes to what production hasn't subscribed to yet.
 *
 * @param loop where {@code then} is called
 */
record TopicRequest(Topic topic, Outbox outbox, Executor loop, Consumer<Subscription> then) {
    void grant(Subscription subscription) {
        loop.execute(() -> then.accept(subscription));
    }
}
