package dev.understudy.relay.ring;

import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
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
 * <p>What finds no room is a hole: its bytes are counted, and a record says so before the next that finds room. A
 * connection that is wanted in its midst, or whose beginning found no room, begins with a record that says so. Makes no
 * object for a read. Confined to the connection's relay loop.
 */
final class RingFeed extends PendingFeed implements TapFeed {
    private static final Logger LOG = LoggerFactory.getLogger(RingFeed.class);

    /** The most that what is pending takes in the ring: a hole, and three events. */
    private static final int PENDING = TapRecord.size(2 * Long.BYTES) + 3 * TapRecord.size(0);

    /** About what the beginning of a connection takes, which is tried only if there is so much room. */
    private static final int ANNOUNCEMENT = 256;

    private final TapConnection connection;
    private final ControlBlock control;
    private final int listener;
    private final RelayRing ring;
    private final RingWriter writer;
    private final RingLosses losses;
    private final LongAdder failures;

    private int wanted;
    private boolean announced;
    private boolean broken;
    private boolean over;
    private long requestPosition;
    private long replyPosition;
    private @Nullable Direction last;

    /** Whether anything below has to be said before what follows. */
    private boolean pending;

    private long pendingNanos;
    private boolean connectedPending;
    private long lostRequestBytes;
    private long lostReplyBytes;
    private boolean requestEndPending;
    private boolean replyEndPending;

    private CloseReason closed = CloseReason.UNTAPPED;
    private long closedNanos;

    private RingFeed(
            TapConnection connection,
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
            TapConnection connection,
            ControlBlock control,
            int listener,
            RelayRing ring,
            RingLosses losses,
            LongAdder failures) {
        RingFeed feed = new RingFeed(connection, control, listener, ring, losses, failures);
        try {
            feed.wanted = control.wanted(listener);
            if (feed.wanted != ControlBlock.OFF && feed.writer.hasRoom(ANNOUNCEMENT)) {
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
        return appendText(StreamEvent.OPENED, flags, connection.acceptedNanos(), OpenedConnection.encode(connection));
    }

    private void append(TapRead read) {
        int length = read.length();
        int first = TapRecord.size(Math.min(writer.longestPiece(), length));
        if (!announced && writer.hasRoom(ANNOUNCEMENT + first)) {
            announced = announce(midstream());
        }
        int done = 0;
        if (announced && (!pending || writer.hasRoom(PENDING + first)) && appendPending()) {
            done = appendPieces(read);
        }
        if (done < length) {
            lose(read.direction(), length - done, read.nanos());
        }
    }

    /** Appends as much as there is room for; says how many bytes that was. */
    private int appendPieces(TapRead read) {
        boolean request = read.direction() == Direction.REQUEST;
        StreamEvent event = request ? StreamEvent.REQUEST : StreamEvent.REPLY;
        long position = request ? requestPosition : replyPosition;
        int done = 0;
        boolean room = true;
        while (room && done < read.length()) {
            int piece = Math.min(writer.longestPiece(), read.length() - done);
            room = writer.append(event, listener, connection.id(), read.nanos(), position + done, read, done, piece);
            done += room ? piece : 0;
        }
        return done;
    }

    private void lose(Direction direction, long bytes, long nanos) {
        if (lostRequestBytes + lostReplyBytes == 0) {
            losses.hole();
        }
        losses.bytes(direction, bytes);
        if (direction == Direction.REQUEST) {
            lostRequestBytes += bytes;
        } else {
            lostReplyBytes += bytes;
        }
        appendLater(nanos);
    }

    /** A connection whose beginning found no room doesn't wait in any list: of such there may be any number. */
    private void appendLater(long nanos) {
        pendingNanos = pending ? pendingNanos : nanos;
        pending = true;
        if (announced) {
            ring.flushLater(this);
        }
    }

    /** Appends in its order what found no room before; false if there still is none. */
    private boolean appendPending() {
        if (!pending) {
            return true;
        }
        if (connectedPending && !appendEvent(StreamEvent.CONNECTED, pendingNanos)) {
            return false;
        }
        connectedPending = false;
        if (lostRequestBytes + lostReplyBytes > 0
                && !appendText(StreamEvent.LOST, (byte) 0, pendingNanos, lostBytes())) {
            return false;
        }
        lostRequestBytes = 0;
        lostReplyBytes = 0;
        if (requestEndPending && !appendEvent(StreamEvent.REQUEST_END, pendingNanos)) {
            return false;
        }
        requestEndPending = false;
        if (replyEndPending && !appendEvent(StreamEvent.REPLY_END, pendingNanos)) {
            return false;
        }
        replyEndPending = false;
        pending = false;
        return true;
    }

    private byte[] lostBytes() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(lostRequestBytes)
                .putLong(lostReplyBytes)
                .array();
    }

    private boolean appendEvent(StreamEvent event, long nanos) {
        return appendText(event, (byte) 0, nanos, null);
    }

    private boolean appendText(StreamEvent event, byte flags, long nanos, byte @Nullable [] text) {
        return writer.append(event, flags, listener, connection.id(), nanos, 0, text);
    }

    @Override
    public void connected(long nanos) {
        appendOrWait(StreamEvent.CONNECTED, nanos);
    }

    @Override
    public void end(Direction direction, long nanos) {
        appendOrWait(direction == Direction.REQUEST ? StreamEvent.REQUEST_END : StreamEvent.REPLY_END, nanos);
    }

    private void appendOrWait(StreamEvent event, long nanos) {
        try {
            if (isOpen() && !(appendPending() && appendEvent(event, nanos))) {
                connectedPending |= event == StreamEvent.CONNECTED;
                requestEndPending |= event == StreamEvent.REQUEST_END;
                replyEndPending |= event == StreamEvent.REPLY_END;
                appendLater(nanos);
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
            if (!announced && wanted != ControlBlock.OFF && !broken) {
                losses.connection();
            } else if (isOpen() && !finish()) {
                ring.flushLater(this);
            }
            writer.publish();
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    long since() {
        return pending ? pendingNanos : closedNanos;
    }

    @Override
    boolean flush() {
        if (!announced) {
            return true;
        }
        return over ? finish() : appendPending();
    }

    /** Appends the end; false if there is no room. */
    private boolean finish() {
        boolean finished = appendPending() && appendText(StreamEvent.CLOSED, (byte) 0, closedNanos, bytes(closed));
        announced = !finished;
        return finished;
    }

    private static byte[] bytes(CloseReason reason) {
        return reason.name().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    @SuppressWarnings("EmptyCatch")
    public void fail(Throwable e) {
        boolean first = !broken;
        broken = true;
        try {
            failures.increment();
            closedNanos = over ? closedNanos : System.nanoTime();
            over = true;
            if (first && announced && !finish()) {
                ring.flushLater(this);
            }
            writer.publish();
            LOG.error("connection {} goes on without its copy, which failed", connection.id(), e);
        } catch (Throwable unlogged) {
            // the relay goes on
        }
    }
}
