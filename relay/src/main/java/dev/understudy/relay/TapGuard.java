package dev.understudy.relay;

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
 * <p>Confined to the connection's relay loop.
 */
final class TapGuard {
    private static final Logger LOG = LoggerFactory.getLogger(TapGuard.class);

    private final Connection connection;
    private final RelayMetrics metrics;
    private final Queue<Read> held = new ArrayDeque<>(4);
    private @Nullable Tap tap;

    private TapGuard(Connection connection, RelayMetrics metrics) {
        this.connection = connection;
        this.metrics = metrics;
    }

    static TapGuard open(TapFactory taps, Connection connection, RelayMetrics metrics) {
        TapGuard guard = new TapGuard(connection, metrics);
        if (taps != TapFactory.NONE) {
            try {
                guard.tap = taps.open(connection);
            } catch (Throwable e) {
                guard.failed(e);
            }
        }
        return guard;
    }

    /** Whether there is anybody to copy for. */
    boolean listening() {
        return tap != null;
    }

    /** Takes ownership of {@code copy}, to be handed over at the next {@link #handOver}. */
    void hold(Direction direction, ByteBuf copy, long nanos) {
        held.add(new Read(direction, copy, nanos));
    }

    /** Hands over what is held; called once it was flushed to its receiver. */
    void handOver() {
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
    }

    void end(Direction direction, long nanos) {
        tell(open -> open.end(direction, nanos));
    }

    /** The last call: hands over what is held and says why the connection ended. */
    void closed(CloseReason reason, long nanos) {
        tell(open -> open.closed(reason, nanos));
        tap = null;
    }

    private void tell(Told event) {
        handOver();
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
