package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.Tracking;
import dev.understudy.aggregator.redis.push.Heard;
import dev.understudy.aggregator.redis.push.Invalidations;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one production connection is to forget of what it caches. Confined to its lane loop. */
final class RecordedTracking {
    private final RedisUpstreamSession session;

    /** Null if nothing is tracked. */
    private @Nullable Invalidations current;

    RecordedTracking(RedisUpstreamSession session) {
        this.session = session;
    }

    /** How far the connection has got when it gets a reply; null if nothing is tracked. */
    @Nullable
    Heard heard() {
        return current == null ? null : new Heard(current, current.position());
    }

    /** The server says which keys to forget; false if nothing is tracked. */
    boolean forget(List<String> keys, long nanos) {
        if (current != null) {
            current.told(keys, nanos);
        }
        return current != null;
    }

    /** A command that the session has followed succeeded. */
    void follow(RedisCommand command, long nanos) {
        boolean turned = Tracking.isTurnedBy(command) || command.name().equals("RESET");
        if (turned && current != null && !session.isTracking()) {
            end(nanos);
        } else if (turned && current == null && session.isTracking()) {
            current = new Invalidations();
        }
    }

    /** The connection gets nothing more, or isn't tracked any more. */
    void end(long nanos) {
        if (current != null) {
            current.end(nanos);
            current = null;
        }
    }
}
