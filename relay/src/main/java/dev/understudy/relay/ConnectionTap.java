package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tap that one factory has on one connection: put on, taken off and put on again as the factory's epoch has it. Nothing that
 * the factory or its tap throws gets out; it ends the copy.
 *
 * <p>When the tee is switched on, a connection that was open already is joined where the client speaks after production has:
 * two fields and a read of a volatile decide that here, whether a request begins there is found out behind the tap.
 *
 * <p>Confined to the connection's relay loop.
 */
final class ConnectionTap {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTap.class);

    /** No epoch: look again at the next read. */
    private static final int UNDECIDED = -1;

    /** How often an epoch's joining is tried at places where no request begins. */
    private static final int MOST_JOINS = 3;

    private final TapFactory taps;
    private final Connection connection;
    private final RelayMetrics metrics;

    private @Nullable Tap tap;

    /** The epoch in which it was decided whether this connection has a tap. */
    private int epoch;

    private int joinsEpoch;
    private int joins;
    private @Nullable Direction last;

    private ConnectionTap(TapFactory taps, Connection connection, RelayMetrics metrics) {
        this.taps = taps;
        this.connection = connection;
        this.metrics = metrics;
    }

    /** That of a connection that has just been accepted. */
    static ConnectionTap open(TapFactory taps, Connection connection, RelayMetrics metrics) {
        ConnectionTap opened = new ConnectionTap(taps, connection, metrics);
        try {
            opened.epoch = taps.epoch();
            if (opened.epoch != TapFactory.OFF) {
                opened.tap = taps.open(connection);
            }
        } catch (Throwable e) {
            opened.fail(e);
        }
        return opened;
    }

    /** The factory whose taps the connection gets beside this one's. */
    @Nullable
    TapFactory factoryBeside() {
        try {
            return taps.beside();
        } catch (Throwable e) {
            count(e);
            return null;
        }
    }

    /** Whether a read needs no more than {@link #skip}. */
    boolean isIdle() {
        try {
            return tap == null && taps.epoch() == epoch;
        } catch (Throwable e) {
            fail(e);
            return true;
        }
    }

    /** Notes who spoke last, of a read that isn't held. */
    void skip(Direction direction) {
        last = direction;
    }

    /** Hands over a copy of what was read and flushed. */
    void read(HeldRead read) {
        try {
            Tap open = tap;
            if (taps.epoch() != epoch || (open != null && !open.wantsMore())) {
                decide(read, taps.epoch());
            }
            last = read.direction();
            if (tap != null) {
                tap.data(read.direction(), read.copy(), read.nanos());
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** The tee was switched, or the tap found no place to join at: leaves what is, and joins where a request may begin. */
    private void decide(HeldRead read, int now) {
        Tap before = tap;
        tap = null;
        if (before != null) {
            before.closed(CloseReason.UNTAPPED, System.nanoTime());
        }
        if (now != joinsEpoch) {
            joinsEpoch = now;
            joins = 0;
        }
        boolean mayBegin = read.direction() == Direction.REQUEST && last != Direction.REQUEST;
        if (now == TapFactory.OFF) {
            epoch = now;
        } else if (joins == MOST_JOINS) {
            epoch = now;
            taps.unjoined(connection);
        } else if (mayBegin) {
            epoch = now;
            joins++;
            tap = taps.join(connection, last == null);
            if (tap != null) {
                tap.connected(read.nanos());
            }
        } else {
            epoch = UNDECIDED;
        }
    }

    void connected(long nanos) {
        try {
            if (tap != null) {
                tap.connected(nanos);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    void end(Direction direction, long nanos) {
        try {
            if (tap != null) {
                tap.end(direction, nanos);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** The last call. */
    void closed(CloseReason reason, long nanos) {
        Tap open = tap;
        tap = null;
        try {
            boolean refused = open != null && !open.wantsMore();
            if (open != null) {
                open.closed(reason, nanos);
            }
            if (taps.epoch() != TapFactory.OFF && (refused || epoch == UNDECIDED)) {
                taps.unjoined(connection);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** The copy ends: there is a hole in it. */
    void fail(Throwable e) {
        Tap failed = tap;
        tap = null;
        count(e);
        if (failed != null) {
            try {
                failed.closed(CloseReason.UNTAPPED, System.nanoTime());
            } catch (Throwable again) {
                count(again);
            }
        }
    }

    /** Without memory even a line of the log can fail. */
    @SuppressWarnings("EmptyCatch")
    private void count(Throwable e) {
        try {
            metrics.tapFailed();
            LOG.error("connection {} goes on without its tap, which failed", connection.id(), e);
        } catch (Throwable unlogged) {
            // the relay goes on
        }
    }
}
