package dev.understudy.relay.ring;

import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.TapRead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to a ring, if there is room. Confined to one relay loop.
 *
 * <p>What was appended is seen by the reader after {@link #publish}.
 */
final class RingWriter {
    private final RingFile file;
    private final ByteBuffer headers;
    private final ByteBuffer bodies;
    private final int capacity;
    private final int longestPiece;
    private long tail;
    private long head;

    RingWriter(RingFile file) {
        this.file = file;
        this.headers = file.view();
        this.bodies = file.view();
        this.capacity = file.capacity();
        this.longestPiece = TapRecord.longest(capacity);
        this.tail = file.tail();
        this.head = file.head();
    }

    /** Publishes since when something waits for room; 0 if nothing does. */
    void waitingSince(long nanos) {
        file.waitingSince(nanos);
    }

    /** Longer reads are to be cut into so many bytes: a record must never be a large part of a ring. */
    int longestPiece() {
        return longestPiece;
    }

    /** Appends bytes that were relayed; false if there is no room. */
    boolean append(
            StreamEvent event,
            int listener,
            long connection,
            long nanos,
            long position,
            TapRead read,
            int from,
            int length) {
        if (!hasRoom(TapRecord.size(length))) {
            return false;
        }
        header(event, (byte) 0, listener, connection, nanos, position, length);
        int first = Math.min(length, capacity - index(tail + TapRecord.HEADER));
        read.copyTo(from, at(tail + TapRecord.HEADER, first));
        if (first < length) {
            read.copyTo(from + first, at(tail + TapRecord.HEADER + first, length - first));
        }
        tail += TapRecord.size(length);
        return true;
    }

    /** Appends anything else; false if there is no room. */
    boolean append(
            StreamEvent event,
            byte flags,
            int listener,
            long connection,
            long nanos,
            long position,
            byte @Nullable [] text) {
        int length = text == null ? 0 : text.length;
        if (!hasRoom(TapRecord.size(length))) {
            return false;
        }
        header(event, flags, listener, connection, nanos, position, length);
        if (text != null) {
            int first = Math.min(length, capacity - index(tail + TapRecord.HEADER));
            at(tail + TapRecord.HEADER, first).put(text, 0, first);
            if (first < length) {
                at(tail + TapRecord.HEADER + first, length - first).put(text, first, length - first);
            }
        }
        tail += TapRecord.size(length);
        return true;
    }

    /** Lets the reader see what was appended. */
    void publish() {
        file.tail(tail);
    }

    /**
     * Whether so many bytes of records have room. The reader's process can write anything: a head that can't be is one
     * that gives no room.
     */
    boolean hasRoom(int size) {
        if (tail + size - head <= capacity) {
            return true;
        }
        long now = file.head();
        if (now < head || now > tail) {
            return false;
        }
        head = now;
        return tail + size - head <= capacity;
    }

    private void header(
            StreamEvent event, byte flags, int listener, long connection, long nanos, long position, int length) {
        int at = RingFile.HEADER + index(tail);
        headers.putInt(at + TapRecord.LENGTH_AT, length);
        headers.put(at + TapRecord.EVENT_AT, event.code());
        headers.put(at + TapRecord.FLAGS_AT, flags);
        headers.putShort(at + TapRecord.LISTENER_AT, (short) listener);
        headers.putLong(at + TapRecord.CONNECTION_AT, connection);
        headers.putLong(at + TapRecord.NANOS_AT, nanos);
        headers.putLong(at + TapRecord.POSITION_AT, position);
    }

    private ByteBuffer at(long position, int length) {
        int at = RingFile.HEADER + index(position);
        return bodies.limit(at + length).position(at);
    }

    private int index(long position) {
        return (int) (position & (capacity - 1));
    }
}
