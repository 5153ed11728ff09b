package dev.understudy.aggregator.redis.push;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One production connection's subscription to one topic, with the messages that no debug connection got yet. */
public final class Subscription {
    final Topic topic;
    final byte @Nullable [] refusal;

    /**
     * Messages until a debug connection takes the subscription; guarded, as all that follows, by {@link Subscriptions}.
     */
    final ArrayDeque<Message> backlog = new ArrayDeque<>();

    @Nullable
    Outbox taker;

    @Nullable
    End end;

    long endNanos;
    boolean dropped;

    Subscription(Topic topic, byte @Nullable [] refusal) {
        this.topic = topic;
        this.refusal = refusal;
    }

    /** How production's connection ceased to get messages. */
    public enum End {
        /** It unsubscribed. */
        UNSUBSCRIBED,
        /** It was closed, by whomever. */
        CLOSED,
        /** It goes on, but we don't know what it gets. */
        LOST
    }

    /** The error with which the server refused it; null if it didn't. Not to be changed. */
    public byte @Nullable [] refusal() {
        return refusal;
    }
}
