package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFactory;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a relay and the taps of its connection: holds what was read until it was flushed to its receiver.
 *
 * <p>Before the flush nothing is copied, created or decided: the buffer is retained, and where its bytes are is noted. Nothing
 * that a tap throws gets out to the relay (fail open).
 *
 * <p>Confined to the connection's relay loop.
 */
final class TapGuard {
    private static final int USUAL_READS = 4;

    private final LongSupplier nanoClock;
    private final ConnectionTap tap;

    /** The tap of a second factory; null, as a rule, if there is nothing but the tee. */
    private final @Nullable ConnectionTap beside;

    private HeldRead[] reads = new HeldRead[0];
    private int held;

    private TapGuard(ConnectionTap tap, @Nullable ConnectionTap beside, LongSupplier nanoClock) {
        this.tap = tap;
        this.beside = beside;
        this.nanoClock = nanoClock;
    }

    /** Opens the taps of a connection that has just been accepted; never throws for what the factories do. */
    static TapGuard open(TapFactory taps, Connection connection, RelayMetrics metrics, LongSupplier nanoClock) {
        ConnectionTap tap = ConnectionTap.open(taps, connection, metrics);
        TapFactory other = tap.factoryBeside();
        ConnectionTap beside = other == null ? null : ConnectionTap.open(other, connection, metrics);
        return new TapGuard(tap, beside, nanoClock);
    }

    /** Holds what was just read if there is a tap, or may be one from here on. Retains {@code data}; never throws. */
    void hold(Direction direction, ByteBuf data) {
        if (isIdle()) {
            tap.skip(direction);
            if (beside != null) {
                beside.skip(direction);
            }
            return;
        }
        try {
            next().set(direction, data, nanoClock.getAsLong());
            held++;
        } catch (Throwable e) {
            fail(e);
        }
    }

    private boolean isIdle() {
        return tap.isIdle() && (beside == null || beside.isIdle());
    }

    private HeldRead next() {
        if (held == reads.length) {
            HeldRead[] more = Arrays.copyOf(reads, Math.max(USUAL_READS, 2 * held));
            for (int n = held; n < more.length; n++) {
                more[n] = new HeldRead();
            }
            reads = more;
        }
        return reads[held];
    }

    /** What can't be held is a hole: both taps end here. */
    private void fail(Throwable e) {
        while (held > 0) {
            reads[--held].release();
        }
        tap.fail(e);
        if (beside != null) {
            beside.fail(e);
        }
    }

    /** Hands over what is held; called once it was flushed to its receiver. */
    void handOver() {
        for (int n = 0; n < held; n++) {
            HeldRead read = reads[n];
            try {
                tap.read(read);
                if (beside != null) {
                    beside.read(read);
                }
            } finally {
                read.release();
            }
        }
        held = 0;
    }

    void connected(long nanos) {
        handOver();
        tap.connected(nanos);
        if (beside != null) {
            beside.connected(nanos);
        }
    }

    void end(Direction direction, long nanos) {
        handOver();
        tap.end(direction, nanos);
        if (beside != null) {
            beside.end(direction, nanos);
        }
    }

    /** The last call: hands over what is held and says why the connection ended. */
    void closed(CloseReason reason, long nanos) {
        handOver();
        tap.closed(reason, nanos);
        if (beside != null) {
            beside.closed(reason, nanos);
        }
    }
}
