package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.Tracking;
import dev.understudy.aggregator.redis.push.Heard;
import dev.understudy.aggregator.redis.push.Invalidations;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one production connection is to forget of what it caches, or another one for it. Confined to its lane loop.
 */
final class RecordedTracking {
    private final RedisUpstreamSession session;
    private final ClientIds.RedisClient client;

    /** What is told here of others' reads. */
    private final Invalidations others = Invalidations.ofOthers();

    /** Null if nothing is tracked, or it is told where we don't hear it. */
    private @Nullable Invalidations current;

    /** Whom it is told; 0 if the connection itself. */
    private long redirection;

    RecordedTracking(RedisUpstreamSession session, ClientIds.RedisClient client) {
        this.session = session;
        this.client = client;
        client.receive(others);
    }

    /**
     * How far the connection has got when it gets a reply; null if nothing is tracked, or that isn't known.
     *
     * @param asked when the reply was asked for
     */
    @Nullable
    Heard heard(long asked) {
        resolve();
        Invalidations told = current;
        return told == null ? null : new Heard(told, redirection > 0 ? asked : told.position());
    }

    /** The server says which keys to forget; false if nothing is tracked. */
    boolean forget(List<String> keys, long nanos) {
        Invalidations own = redirection == 0 ? current : null;
        // Of a connection that is told of its own reads, nobody is likely to want others': all keys take no memory.
        others.told(own != null && !others.isRedirected() ? List.of() : keys, nanos);
        if (own != null) {
            own.told(keys, nanos);
        }
        return own != null || others.isRedirected();
    }

    /** A command that the session has followed succeeded. */
    void follow(RedisCommand command, long nanos) {
        boolean turned = Tracking.isTurnedBy(command) || command.name().equals("RESET");
        if (!turned) {
            return;
        }
        if (!session.isTracking() || Tracking.redirection(command) != redirection) {
            end(nanos);
            redirection = Tracking.redirection(command);
            resolve();
        }
        if (current == null && redirection == 0 && session.isTracking()) {
            current = new Invalidations();
        }
    }

    /** The other connection's id may be heard later than this. */
    private void resolve() {
        if (current == null && redirection > 0) {
            current = client.redirected(redirection);
        }
    }

    /** The connection gets nothing more. */
    void close(long nanos) {
        end(nanos);
        others.end(nanos);
    }

    private void end(long nanos) {
        if (current != null) {
            current.end(nanos);
            current = null;
        }
    }
}
