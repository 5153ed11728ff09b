package dev.understudy.sidecar.lane;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyPair;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request that the debug JVM is sent once more, over a connection of its own. A lane is given what was recorded, as
 * if production were doing it now, so the request is changed and its reply is compared as always. Thread-safe.
 */
final class SingleReplay {
    private final DebugLanes.Replayed done;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Tap tap;

    SingleReplay(DebugLanes.Replayed done) {
        this.done = done;
    }

    /**
     * Begins.
     *
     * @param request all of it
     * @param reply production's, all of it
     * @param patience on the debug JVM's clock; it is given up after twice that, whatever the clock says
     */
    void run(DebugLanes lanes, long connection, byte[] request, byte[] reply, EventLoop timer, Duration patience) {
        long now = System.nanoTime();
        InetSocketAddress nobody = InetSocketAddress.createUnresolved("replay", 0);
        Tap opened = lanes.open(new TapConnection(connection, nobody, nobody, now));
        tap = opened;
        if (opened == null) {
            end(null, null);
            return;
        }
        var unused = timer.schedule(
                () -> {
                    lanes.shutDown();
                    end(null, null);
                },
                2 * patience.toNanos(),
                TimeUnit.NANOSECONDS);
        opened.connected(now);
        opened.data(Direction.REQUEST, Unpooled.wrappedBuffer(request), now);
        opened.data(Direction.REPLY, Unpooled.wrappedBuffer(reply), now);
        opened.end(Direction.REPLY, now);
    }

    /** The debug JVM has answered, or it is known that it won't. */
    void judged(String route, Judged judged, @Nullable Failing failing, @Nullable ReplyPair replies) {
        end(judged, replies);
    }

    private void end(@Nullable Judged judged, @Nullable ReplyPair replies) {
        if (ended.compareAndSet(false, true)) {
            Tap opened = tap;
            if (opened != null) {
                opened.closed(CloseReason.FINISHED, System.nanoTime());
            }
            done.done(judged, replies);
        }
    }
}
