package dev.understudy.relay.ring;

import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * What the tap process has last published of one listener in the control block, and what lane processes have added:
 * readable by any process, also when those are dead. Thread-safe, but for {@link #addUnknown}.
 */
public final class PublishedRelay implements RelayStatus {
    private static final int OPENED = 0;
    private static final int OPEN = 1;
    private static final int ACCEPT_FAILURES = 2;
    private static final int TAP_FAILURES = 3;
    private static final int REQUEST_BYTES = 4;
    private static final int REPLY_BYTES = 5;
    private static final int LOST_REQUEST_BYTES = 6;
    private static final int LOST_REPLY_BYTES = 7;
    private static final int HOLES = 8;
    private static final int LOST_CONNECTIONS = 9;

    /** The lane process's. */
    private static final int UNKNOWN_BYTES = 15;

    private static final int ENDINGS = 16;

    private static final List<CloseReason> REASONS = List.of(CloseReason.values());

    private final ControlBlock control;
    private final int listener;

    /** That of a listener, by its number. */
    public PublishedRelay(ControlBlock control, int listener) {
        this.control = control;
        this.listener = listener;
    }

    /** Publishes how a listener is now; one thread of the tap process. */
    public static void publish(ControlBlock control, int listener, RelayStatus status, RingLosses losses) {
        control.counter(listener, OPENED, status.opened());
        control.counter(listener, OPEN, status.open());
        control.counter(listener, ACCEPT_FAILURES, status.acceptFailures());
        control.counter(listener, TAP_FAILURES, status.tapFailures());
        control.counter(listener, REQUEST_BYTES, status.bytes(Direction.REQUEST));
        control.counter(listener, REPLY_BYTES, status.bytes(Direction.REPLY));
        control.counter(listener, LOST_REQUEST_BYTES, losses.bytes(Direction.REQUEST));
        control.counter(listener, LOST_REPLY_BYTES, losses.bytes(Direction.REPLY));
        control.counter(listener, HOLES, losses.holes());
        control.counter(listener, LOST_CONNECTIONS, losses.connections());
        for (CloseReason reason : REASONS) {
            control.counter(listener, ENDINGS + REASONS.indexOf(reason), status.endings(reason));
        }
        control.text(listener, StatusText.write(status.address(), status.production()));
    }

    @Override
    public InetSocketAddress address() {
        return StatusText.address(control.text(listener));
    }

    @Override
    public long opened() {
        return control.counter(listener, OPENED);
    }

    @Override
    public long open() {
        return control.counter(listener, OPEN);
    }

    @Override
    public long acceptFailures() {
        return control.counter(listener, ACCEPT_FAILURES);
    }

    @Override
    public long tapFailures() {
        return control.counter(listener, TAP_FAILURES);
    }

    @Override
    public long bytes(Direction direction) {
        return control.counter(listener, direction == Direction.REQUEST ? REQUEST_BYTES : REPLY_BYTES);
    }

    /** Bytes in that direction that found no room in the rings. */
    public long lostBytes(Direction direction) {
        return control.counter(listener, direction == Direction.REQUEST ? LOST_REQUEST_BYTES : LOST_REPLY_BYTES);
    }

    /** How often the copy of a connection got a hole, since the rings were full. */
    public long holes() {
        return control.counter(listener, HOLES);
    }

    /** Connections of which nothing at all found room in the rings. */
    public long lostConnections() {
        return control.counter(listener, LOST_CONNECTIONS);
    }

    /** Bytes in the rings of connections whose beginning the lane process that read them didn't know. */
    public long unknownBytes() {
        return control.counter(listener, UNKNOWN_BYTES);
    }

    /** Adds to them; for the lane process, one thread. */
    public void addUnknown(long bytes) {
        control.counter(listener, UNKNOWN_BYTES, unknownBytes() + bytes);
    }

    @Override
    public long endings(CloseReason reason) {
        return control.counter(listener, ENDINGS + REASONS.indexOf(reason));
    }

    @Override
    public List<TargetStatus> production() {
        return StatusText.production(control.text(listener));
    }
}
