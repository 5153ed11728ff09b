package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapFactory;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between a relay and its tap: holds what was read until it was flushed to its receiver, and lets nothing that the
 * tap throws out to the relay (fail open).
 *
 * <p>When the tee is switched on, a connection that was open already is joined where the client speaks after production has:
 * two fields and a read of a volatile decide that here, whether a request begins there is found out behind the tap.
 *
 * <p>Confined to the connection's relay loop.
 */
final class TapGuard {
    private static final Logger LOG = LoggerFactory.getLogger(TapGuard.class);

    /** No epoch: look again at the next read. */
    private static final int UNDECIDED = -1;

    /** How often an epoch's joining is tried at places where no request begins. */
    private static final int MOST_JOINS = 3;

    private final TapFactory taps;
    private final Connection connection;
    private final RelayMetrics metrics;
    private final Queue<Read> held = new ArrayDeque<>(4);

    /** Guards the tap beside this one; null, as a rule, if there is nothing but the tee. */
    private final @Nullable TapGuard beside;

    private @Nullable Tap tap;

    /** The epoch in which it was decided whether this connection has a tap. */
    private int epoch;

    private int joinsEpoch;
    private int joins;
    private @Nullable Direction last;

    private TapGuard(TapFactory taps, Connection connection, RelayMetrics metrics) {
        this.taps = taps;
        this.connection = connection;
        this.metrics = metrics;
        this.beside = beside();
    }

    private @Nullable TapGuard beside() {
        try {
            TapFactory other = taps.beside();
            return other == null ? null : open(other, connection, metrics);
        } catch (Throwable e) {
            failed(e);
            return null;
        }
    }

    static TapGuard open(TapFactory taps, Connection connection, RelayMetrics metrics) {
        TapGuard guard = new TapGuard(taps, connection, metrics);
        try {
            guard.epoch = taps.epoch();
            if (guard.epoch != TapFactory.OFF) {
                guard.tap = taps.open(connection);
            }
        } catch (Throwable e) {
            guard.failed(e);
        }
        return guard;
    }

    /** Whether there is anybody to copy for what was just read; asked before it goes on. */
    boolean listening(Direction direction) {
        boolean otherListens = beside != null && beside.listening(direction);
        return listens(direction) || otherListens;
    }

    private boolean listens(Direction direction) {
        try {
            Tap open = tap;
            if (taps.epoch() != epoch || (open != null && !open.wantsMore())) {
                decide(direction, taps.epoch());
            }
        } catch (Throwable e) {
            failed(e);
        }
        last = direction;
        return tap != null;
    }

    /** The tee was switched, or the tap found no place to join at: leaves what is, and joins where a request may begin. */
    private void decide(Direction next, int now) {
        untap();
        if (now != joinsEpoch) {
            joinsEpoch = now;
            joins = 0;
        }
        boolean mayBegin = next == Direction.REQUEST && last != Direction.REQUEST;
        if (now == TapFactory.OFF) {
            epoch = now;
        } else if (joins == MOST_JOINS) {
            epoch = now;
            taps.unjoined(connection);
        } else if (mayBegin) {
            epoch = now;
            joins++;
            tap = taps.join(connection, last == null);
            tell(joined -> joined.connected(System.nanoTime()));
        } else {
            epoch = UNDECIDED;
        }
    }

    /** Takes the tap off; what was read since the last flush isn't copied. */
    private void untap() {
        for (Read read = held.poll(); read != null; read = held.poll()) {
            read.copy.release();
        }
        tell(open -> open.closed(CloseReason.UNTAPPED, System.nanoTime()));
        tap = null;
    }

    /** Takes ownership of {@code copy}, to be handed over at the next {@link #handOver}. */
    void hold(Direction direction, ByteBuf copy, long nanos) {
        TapGuard other = beside;
        if (other == null || other.tap == null) {
            held.add(new Read(direction, copy, nanos));
        } else if (tap == null) {
            other.hold(direction, copy, nanos);
        } else {
            held.add(new Read(direction, copy.retainedDuplicate(), nanos));
            other.hold(direction, copy, nanos);
        }
    }

    /** Hands over what is held; called once it was flushed to its receiver. */
    void handOver() {
        handOverOwn();
        if (beside != null) {
            beside.handOver();
        }
    }

    private void handOverOwn() {
        for (Read read = held.poll(); read != null; read = held.poll()) {
            Tap open = tap;
            if (open == null) {
                read.copy.release();
            } else {
                try {
                    open.data(read.direction, read.copy, read.nanos);
                } catch (Throwable e) {
                    failed(e);
                }
            }
        }
    }

    void connected(long nanos) {
        tell(open -> open.connected(nanos));
        if (beside != null) {
            beside.connected(nanos);
        }
    }

    void end(Direction direction, long nanos) {
        tell(open -> open.end(direction, nanos));
        if (beside != null) {
            beside.end(direction, nanos);
        }
    }

    /** The last call: hands over what is held and says why the connection ended. */
    void closed(CloseReason reason, long nanos) {
        Tap open = tap;
        tell(told -> told.closed(reason, nanos));
        tap = null;
        try {
            boolean refused = open != null && !open.wantsMore();
            if (taps.epoch() != TapFactory.OFF && (refused || epoch == UNDECIDED)) {
                taps.unjoined(connection);
            }
        } catch (Throwable e) {
            failed(e);
        }
        if (beside != null) {
            beside.closed(reason, nanos);
        }
    }

    private void tell(Told event) {
        handOverOwn();
        Tap open = tap;
        if (open != null) {
            try {
                event.to(open);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private void failed(Throwable e) {
        tap = null;
        metrics.tapFailed();
        LOG.error("connection {} goes on without its tap, which failed", connection.id(), e);
    }

    private record Read(Direction direction, ByteBuf copy, long nanos) {}

    private interface Told {
        void to(Tap tap);
    }
}
