package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.redis.push.Subscription;
import dev.understudy.aggregator.redis.push.Subscription.End;
import dev.understudy.aggregator.redis.push.Subscriptions;
import dev.understudy.aggregator.redis.push.Topic;
import dev.understudy.aggregator.redis.push.Topic.Kind;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Follows what one production connection subscribes to, and hands on what it is told. Confined to its lane loop. */
final class RecordedSubscriptions {
    private final Recording<RedisReply> recording;
    private final RedisUpstreamSession session;
    private final Subscriptions all;
    private final Map<Topic, Subscription> open = new HashMap<>();

    /** Confirmations that are still to come for the command that is being answered; 0 before the first. */
    private int left;

    RecordedSubscriptions(Recording<RedisReply> recording, RedisUpstreamSession session, Subscriptions all) {
        this.recording = recording;
        this.session = session;
        this.all = all;
    }

    /** What a value from the server is to a command of subscription. */
    enum Part {
        /** More confirmations follow. */
        SOME,
        LAST,
        /** No answer to it at all. */
        NONE
    }

    /** The topic of what the server says unasked; null if it says something else. */
    @Nullable
    Topic topicOf(RespValue value) {
        boolean may = session.version() == 3
                ? value instanceof RespValue.Push
                : value instanceof RespValue.Array && !session.subscribed().isEmpty();
        return may ? Topic.ofMessage(value, session.version()) : null;
    }

    /** A message came; false if nobody subscribed to its topic. */
    boolean message(Topic topic, byte[] wire, long nanos) {
        Subscription subscription = open.get(topic);
        if (subscription == null) {
            return false;
        }
        all.message(subscription, nanos, wire);
        return true;
    }

    /** The server has answered a command that begins or ends subscriptions, or a part of it. */
    Part answered(RedisCommand command, Kind kind, RespValue value, byte[] wire) {
        if (value instanceof RespValue.SimpleError && left == 0) {
            if (kind.begunBy(command) && !command.arguments().isEmpty()) {
                String name = Topic.name(command.arguments().get(0));
                all.refused(new Topic(kind, name, session.version()), wire);
            }
            return Part.LAST;
        }
        boolean spoken = session.version() == 3 ? value instanceof RespValue.Push : value instanceof RespValue.Array;
        if (!spoken || !Topic.confirms(value, command)) {
            return Part.NONE;
        }
        if (left == 0) {
            int named = command.arguments().size();
            left = named > 0 ? named : Math.max(1, session.subscribed().size(kind));
        }
        confirmed(command, kind, Topic.confirmed(value));
        return --left == 0 ? Part.LAST : Part.SOME;
    }

    /** The connection gets nothing more. */
    void end(End how) {
        open.values().forEach(subscription -> all.end(subscription, how));
        open.clear();
    }

    private void confirmed(RedisCommand command, Kind kind, @Nullable String name) {
        if (name == null) {
            return;
        }
        Topic topic = new Topic(kind, name, session.version());
        if (kind.begunBy(command)) {
            if (session.subscribed().add(kind, name)) {
                open.put(topic, all.open(topic, unheard -> recording.dropped(Unrecorded.UNHEARD, unheard)));
            }
        } else if (session.subscribed().remove(kind, name)) {
            Subscription ended = open.remove(topic);
            if (ended != null) {
                all.end(ended, End.UNSUBSCRIBED);
            }
        }
    }
}
