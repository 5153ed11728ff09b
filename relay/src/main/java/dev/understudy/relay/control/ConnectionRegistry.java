package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import dev.understudy.relay.control.access.Caller;
import dev.understudy.relay.tls.TlsWrites;
import io.netty.channel.Channel;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a control port. When all are in use, the one that has been idle longest makes room for the next.
 *
 * <p>A connection is idle while no request of it is received or answered and it follows no events. So whoever only
 * holds connections keeps nobody out. Of requests that may last, which bring a body or follow events, no caller may
 * have more than its share: callers are told apart by their tokens. Confined to the control thread.
 */
final class ConnectionRegistry {
    private final int most;
    private final int mostStreams;
    private final int ofCaller;
    private final int ofNobody;
    private final ControlCounts counts;
    private final Set<Channel> open = new LinkedHashSet<>();
    private final Set<Channel> streams = new LinkedHashSet<>();
    private final Set<Channel> idle = new LinkedHashSet<>(); // the one that has been idle longest is the first
    private final Map<Channel, String> callers = new HashMap<>(); // of those at work on what may last

    ConnectionRegistry(ControlLimits limits, ControlCounts counts) {
        this.most = limits.connections();
        this.mostStreams = limits.streams();
        this.ofCaller = limits.ofCaller();
        this.ofNobody = limits.ofNobody();
        this.counts = counts;
    }

    /** Takes a new connection in, as an idle one; false if there is no room for it. */
    boolean register(Channel channel) {
        if (open.size() >= most && !evict()) {
            counts.count(Reason.CONNECTIONS, channel.remoteAddress());
            return false;
        }
        open.add(channel);
        idle.add(channel);
        counts.connections(open.size());
        channel.closeFuture().addListener(closed -> release(channel));
        return true;
    }

    /** A request of it has begun. */
    void busy(Channel channel) {
        idle.remove(channel);
    }

    /**
     * Its request is one of this caller, and may last; false if that one has its share of such at work already.
     *
     * @param caller null for somebody of whom no token was asked
     */
    boolean serves(Channel channel, @Nullable Caller caller) {
        String name = caller == null ? "" : caller.name();
        int share = caller == null ? ofNobody : ofCaller;
        if (Collections.frequency(callers.values(), name) >= share) {
            counts.count(Reason.CALLERS, name + " " + channel.remoteAddress());
            return false;
        }
        callers.put(channel, name);
        return true;
    }

    /** Its request is answered. */
    void idle(Channel channel) {
        callers.remove(channel);
        if (open.contains(channel)) {
            idle.add(channel);
        }
    }

    /** From now on it follows events; false if too many do. */
    boolean stream(Channel channel) {
        if (streams.size() >= mostStreams) {
            counts.count(Reason.STREAMS, channel.remoteAddress());
            return false;
        }
        streams.add(channel);
        return true;
    }

    private boolean evict() {
        Iterator<Channel> longest = idle.iterator();
        if (!longest.hasNext()) {
            return false;
        }
        Channel evicted = longest.next();
        counts.count(Reason.EVICTED, evicted.remoteAddress());
        release(evicted);
        TlsWrites.drop(evicted); // it may be one that takes nothing, not even a close_notify
        return true;
    }

    private void release(Channel channel) {
        open.remove(channel);
        streams.remove(channel);
        idle.remove(channel);
        callers.remove(channel);
        counts.connections(open.size());
    }
}
