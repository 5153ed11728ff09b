package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFeed;
import dev.understudy.relay.tap.TapRead;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Stands between a relay and the tap of its connection: holds what was read until it was flushed to its receiver.
 *
 * <p>Before the flush nothing is copied, created or decided: the buffer is retained, and where its bytes are is noted.
 * Nothing that a tap throws gets out to the relay (fail open).
 *
 * <p>Confined to the connection's relay loop.
 */
final class TapGuard {
    private static final int USUAL_READS = 4;

    private final TapFeed feed;
    private final LongSupplier nanoClock;

    private TapRead[] reads = new TapRead[0];
    private int held;

    TapGuard(TapFeed feed, LongSupplier nanoClock) {
        this.feed = feed;
        this.nanoClock = nanoClock;
    }

    /** Holds what was just read if there is a tap, or may be one from here on. Retains {@code data}; never throws. */
    void hold(Direction direction, ByteBuf data) {
        if (feed.isIdle()) {
            feed.skip(direction, data.readableBytes());
            return;
        }
        try {
            next().hold(direction, data, nanoClock.getAsLong());
            held++;
        } catch (Throwable e) {
            drop();
            feed.fail(e);
        }
    }

    private TapRead next() {
        if (held == reads.length) {
            TapRead[] more = Arrays.copyOf(reads, Math.max(USUAL_READS, 2 * held));
            for (int n = held; n < more.length; n++) {
                more[n] = new TapRead();
            }
            reads = more;
        }
        return reads[held];
    }

    private void drop() {
        while (held > 0) {
            reads[--held].release();
        }
    }

    /** Hands over what is held; called once it was flushed to its receiver. */
    void handOver() {
        for (int n = 0; n < held; n++) {
            feed.read(reads[n]);
        }
        drop();
    }

    void connected(long nanos) {
        handOver();
        feed.connected(nanos);
    }

    void end(Direction direction, long nanos) {
        handOver();
        feed.end(direction, nanos);
    }

    /** The last call: hands over what is held and says why the connection ended. */
    void closed(CloseReason reason, long nanos) {
        handOver();
        feed.closed(reason, nanos);
    }
}
