package dev.understudy.relay.ring;

import dev.understudy.relay.stream.Event;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFeed;
import dev.understudy.relay.tap.TapRead;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what one connection carries to its relay loop's ring, as long as somebody wants it.
 *
 * <p>What finds no room is a hole: its bytes are counted, and a record says so before the next that finds room. A connection that is wanted
 * in its midst, or whose beginning found no room, begins with a record that says so. Makes no object for a read. Confined to the
 * connection's relay loop.
 */
final class RingFeed implements TapFeed {
    private static final Logger LOG = LoggerFactory.getLogger(RingFeed.class);

    /** What a record of a hole takes in the ring, and those of two ends after it. */
    private static final int HOLE = TapRecord.size(2 * Long.BYTES) + 2 * TapRecord.size(0);

    private final Connection connection;
    private final ControlBlock control;
    private final int listener;
    private final RelayRing ring;
    private final RingWriter writer;
    private final RingLosses losses;
    private final LongAdder failures;

    /** Whether it is in the list of those that wait for room. */
    boolean waits;

    /** The next in that list. */
    @Nullable
    RingFeed next;

    private int wanted;
    private boolean announced;
    private boolean broken;
    private boolean over;
    private long requestPosition;
    private long replyPosition;
    private @Nullable Direction last;

    private boolean holed;
    private long lostRequestBytes;
    private long lostReplyBytes;
    private boolean lostRequestEnd;
    private boolean lostReplyEnd;
    private long holeNanos;
    private CloseReason closed = CloseReason.UNTAPPED;
    private long closedNanos;

    private RingFeed(
            Connection connection,
            ControlBlock control,
            int listener,
            RelayRing ring,
            RingLosses losses,
            LongAdder failures) {
        this.connection = connection;
        this.control = control;
        this.listener = listener;
        this.ring = ring;
        this.writer = ring.writer();
        this.losses = losses;
        this.failures = failures;
    }

    /** That of a connection that was just accepted. */
    static RingFeed open(
            Connection connection,
            ControlBlock control,
            int listener,
            RelayRing ring,
            RingLosses losses,
            LongAdder failures) {
        RingFeed feed = new RingFeed(connection, control, listener, ring, losses, failures);
        try {
            feed.wanted = control.wanted(listener);
            if (feed.wanted != ControlBlock.OFF) {
                feed.announced = feed.announce((byte) 0);
                feed.writer.publish();
            }
        } catch (Throwable e) {
            feed.fail(e);
        }
        return feed;
    }

    @Override
    public boolean isIdle() {
        return broken || (wanted == ControlBlock.OFF && control.wanted(listener) == ControlBlock.OFF);
    }

    @Override
    public void skip(Direction direction, int length) {
        last = direction;
        advance(direction, length);
    }

    private void advance(Direction direction, int length) {
        if (direction == Direction.REQUEST) {
            requestPosition += length;
        } else {
            replyPosition += length;
        }
    }

    @Override
    public void read(TapRead read) {
        if (broken) {
            return;
        }
        try {
            int now = control.wanted(listener);
            if (now != wanted) {
                turn(now, read.nanos());
            }
            if (wanted != ControlBlock.OFF) {
                announced = announced || announce(midstream());
                append(read);
                writer.publish();
            }
            skip(read.direction(), read.length());
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Nobody wants it any more, or somebody else does; as soon as there is room to say so. */
    private void turn(int now, long nanos) {
        closedNanos = nanos;
        if (!announced || finish()) {
            wanted = now;
        }
        writer.publish();
    }

    private boolean isOpen() {
        return announced && !broken;
    }

    private byte midstream() {
        int speaker = last == null ? TapRecord.UNTOUCHED : last == Direction.REPLY ? TapRecord.AFTER_REPLY : 0;
        return (byte) (TapRecord.MIDSTREAM | speaker);
    }

    private boolean announce(byte flags) {
        byte[] text = OpenedConnection.encode(connection);
        return appendText(Event.OPENED, flags, connection.acceptedNanos(), 0, text);
    }

    private void append(TapRead read) {
        Event event = read.direction() == Direction.REQUEST ? Event.REQUEST : Event.REPLY;
        long position = read.direction() == Direction.REQUEST ? requestPosition : replyPosition;
        int length = read.length();
        int done = 0;
        int first = Math.min(TapRecord.LONGEST, length);
        if (announced && (!holed || writer.hasRoom(HOLE + TapRecord.size(first))) && appendHole()) {
            boolean room = true;
            while (room && done < length) {
                int piece = Math.min(TapRecord.LONGEST, length - done);
                room = writer.append(
                        event, listener, connection.id(), read.nanos(), position + done, read, done, piece);
                done += room ? piece : 0;
            }
        }
        if (done < length) {
            lose(read.direction(), length - done, read.nanos());
        }
    }

    private void lose(Direction direction, long bytes, long nanos) {
        losses.bytes(direction, bytes);
        hole(nanos);
        if (direction == Direction.REQUEST) {
            lostRequestBytes += bytes;
        } else {
            lostReplyBytes += bytes;
        }
    }

    private void hole(long nanos) {
        if (!holed) {
            holed = true;
            holeNanos = nanos;
            losses.hole();
            ring.flushLater(this);
        }
    }

    /** Says what fell into a hole, if there is one; false if there is no room for that. */
    private boolean appendHole() {
        if (!holed) {
            return true;
        }
        byte[] counts = ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(lostRequestBytes)
                .putLong(lostReplyBytes)
                .array();
        if (!appendText(Event.LOST, (byte) 0, holeNanos, 0, counts)) {
            return false;
        }
        holed = false;
        lostRequestBytes = 0;
        lostReplyBytes = 0;
        if (lostRequestEnd) {
            lostRequestEnd = false;
            end(Direction.REQUEST, holeNanos);
        }
        if (lostReplyEnd) {
            lostReplyEnd = false;
            end(Direction.REPLY, holeNanos);
        }
        return !holed;
    }

    private boolean appendText(Event event, byte flags, long nanos, long position, byte @Nullable [] text) {
        return writer.append(event, flags, listener, connection.id(), nanos, position, text);
    }

    @Override
    public void connected(long nanos) {
        try {
            if (isOpen() && !(appendHole() && appendText(Event.CONNECTED, (byte) 0, nanos, 0, null))) {
                hole(nanos);
            }
            writer.publish();
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        try {
            Event event = direction == Direction.REQUEST ? Event.REQUEST_END : Event.REPLY_END;
            if (isOpen() && !(appendHole() && appendText(event, (byte) 0, nanos, 0, null))) {
                hole(nanos);
                lostRequestEnd |= direction == Direction.REQUEST;
                lostReplyEnd |= direction == Direction.REPLY;
            }
            writer.publish();
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        try {
            closed = reason;
            closedNanos = nanos;
            over = true;
            if (!announced && wanted != ControlBlock.OFF) {
                losses.connection();
            } else if (isOpen() && !finish()) {
                ring.flushLater(this);
            }
            writer.publish();
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Says what there was no room for; false if there still is none. */
    boolean flush() {
        if (!announced) {
            return true;
        }
        return over ? finish() : appendHole();
    }

    /** Appends the end; false if there is no room. */
    private boolean finish() {
        boolean finished = appendHole() && appendText(Event.CLOSED, (byte) 0, closedNanos, 0, bytes(closed));
        announced = !finished;
        return finished;
    }

    private static byte[] bytes(CloseReason reason) {
        return reason.name().getBytes(StandardCharsets.US_ASCII);
    }

    /** Only our own side writes losses. */
    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        losses.bytes(Direction.REQUEST, requestBytes);
        losses.bytes(Direction.REPLY, replyBytes);
        hole(nanos);
        lostRequestBytes += requestBytes;
        lostReplyBytes += replyBytes;
    }

    @Override
    @SuppressWarnings("EmptyCatch")
    public void fail(Throwable e) {
        boolean first = !broken;
        broken = true;
        try {
            over = true;
            if (first && announced && !finish()) {
                ring.flushLater(this);
            }
            writer.publish();
            failures.increment();
            LOG.error("connection {} goes on without its copy, which failed", connection.id(), e);
        } catch (Throwable unlogged) {
            // the relay goes on
        }
    }
}
