package dev.understudy.relay.tap;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tap that one factory has on one connection: put on, taken off and put on again as the factory's epoch has it.
 * Nothing that the factory or its tap throws gets out; it ends the copy.
 *
 * <p>When the tee is switched on, a connection that was open already is joined where the client speaks after production
 * has: two fields and a read of a volatile decide that here, whether a request begins there is found out behind the
 * tap.
 *
 * <p>Confined to the connection's relay loop.
 */
final class ConnectionTap implements RemoteFeed {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTap.class);

    /** No epoch: look again at the next read. */
    private static final int UNDECIDED = -1;

    /** How often an epoch's joining is tried at places where no request begins. */
    private static final int MOST_JOINS = 3;

    private final TapFactory taps;
    private final TapConnection connection;
    private final LongAdder failures;

    private @Nullable Tap tap;

    /** The epoch in which it was decided whether this connection has a tap. */
    private int epoch;

    private int joinsEpoch;
    private int joins;
    private @Nullable Direction last;

    private ConnectionTap(TapFactory taps, TapConnection connection, LongAdder failures) {
        this.taps = taps;
        this.connection = connection;
        this.failures = failures;
    }

    /** That of a connection that has just been accepted. */
    static ConnectionTap open(TapFactory taps, TapConnection connection, LongAdder failures) {
        ConnectionTap opened = new ConnectionTap(taps, connection, failures);
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

    /**
     * That of a connection that goes on already: it is joined where a request may begin.
     *
     * @param last who spoke last; null if nobody has spoken yet
     */
    static ConnectionTap join(TapFactory taps, TapConnection connection, @Nullable Direction last, LongAdder failures) {
        ConnectionTap joining = new ConnectionTap(taps, connection, failures);
        joining.epoch = UNDECIDED;
        joining.last = last;
        return joining;
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

    @Override
    public boolean isIdle() {
        try {
            return tap == null && taps.epoch() == epoch;
        } catch (Throwable e) {
            fail(e);
            return true;
        }
    }

    @Override
    public void skip(Direction direction, int length) {
        last = direction;
    }

    @Override
    public void read(TapRead read) {
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

    /**
     * The tee was switched, or the tap found no place to join at: leaves what is, and joins where a request may begin.
     */
    private void decide(TapRead read, int now) {
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

    @Override
    public void connected(long nanos) {
        try {
            if (tap != null) {
                tap.connected(nanos);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        try {
            if (tap != null) {
                tap.end(direction, nanos);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
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

    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        try {
            if (tap != null) {
                tap.lost(requestBytes, replyBytes, nanos);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void fail(Throwable e) {
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
            failures.increment();
            LOG.error("connection {} goes on without its tap, which failed", connection.id(), e);
        } catch (Throwable unlogged) {
            // the relay goes on
        }
    }
}
