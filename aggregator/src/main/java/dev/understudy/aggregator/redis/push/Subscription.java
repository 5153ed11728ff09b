package dev.understudy.aggregator.redis.push;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One production connection's subscription to one topic, with the messages that no debug connection got yet. */
public final class Subscription {
    static final Comparator<Subscription> IN_ORDER = Comparator.comparingLong(one -> one.number);

    final Topic topic;
    final byte @Nullable [] refusal;

    /** Grows as production subscribes. */
    final long number;

    /** Counts messages that no debug connection heard. */
    private final LongConsumer unheard;

    /**
     * Messages until a debug connection takes the subscription; guarded, as all that follows, by {@link Subscriptions}.
     */
    final ArrayDeque<Message> backlog = new ArrayDeque<>();

    @Nullable
    Outbox taker;

    /** Whether a debug connection that has ended had it before. */
    boolean inherited;

    @Nullable
    End end;

    /** When production got the last message of it, or the confirmation. */
    long lastNanos;

    long endNanos;
    boolean dropped;

    Subscription(Topic topic, byte @Nullable [] refusal, long number, long nanos, LongConsumer unheard) {
        this.topic = topic;
        this.refusal = refusal;
        this.number = number;
        this.lastNanos = nanos;
        this.unheard = unheard;
    }

    /** How production's connection ceased to get messages. */
    public enum End {
        /** It unsubscribed. */
        UNSUBSCRIBED,
        /** Its client closed it. */
        CLOSED,
        /** The server closed it. */
        CUT,
        /** It goes on, but we don't know what it gets. */
        LOST
    }

    /** The error with which the server refused it; null if it didn't. Not to be changed. */
    public byte @Nullable [] refusal() {
        return refusal;
    }

    void unheard(long messages) {
        if (messages > 0) {
            unheard.accept(messages);
        }
    }

    /** Whether production's client ended it itself, as the debug side's is about to. */
    boolean isLeft() {
        return end == End.UNSUBSCRIBED || end == End.CLOSED;
    }
}
