package dev.understudy.relay.ring;

import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Reads the records of one ring, beginning with what the last reader has left. Confined to one thread.
 *
 * <p>What the ring holds is foreign: a record that can't be is never followed, and everything up to the tail is given
 * up.
 */
final class RingReader {
    private static final int RECORDS_A_TURN = 256;

    private final RingFile file;
    private final int capacity;
    private final ByteBuffer view;
    private final ByteBuf bytes;
    private final RecordReceiver receiver;
    private long head;

    /** The head that the writer knows of. */
    private long returned;

    private long lastNanos;
    private long handedOver = System.nanoTime() - Long.MAX_VALUE / 2;

    private RingReader(RingFile file, RecordReceiver receiver) {
        this.file = file;
        this.capacity = file.capacity();
        this.view = file.view();
        this.bytes = Unpooled.wrappedBuffer(file.view());
        this.receiver = receiver;
        this.head = file.head();
        this.returned = head;
    }

    static RingReader open(Path file, RecordReceiver receiver) throws IOException {
        return new RingReader(RingFile.open(file), receiver);
    }

    /** Reads what is there now, up to some hundreds of records; false if there was nothing. */
    boolean read() {
        long now = System.nanoTime();
        long tail = file.tail();
        long waiting = file.waitingSince();
        long end = waiting == 0 || waiting - now > 0 ? now : waiting - 1;
        if (tail == head) {
            advance(end);
            return false;
        }
        if (tail < head || tail - head > capacity) {
            giveUp(tail);
            return true;
        }
        try {
            readRecords(tail);
        } finally {
            giveBack();
            // the next record may be a part of the same read
            advance(head == tail || lastNanos - end > 0 ? end : lastNanos - 1);
        }
        return true;
    }

    /** Stamps are foreign: one of the past moves nothing back. */
    private void advance(long nanos) {
        if (nanos - handedOver > 0) {
            handedOver = nanos;
        }
    }

    /**
     * Up to when what happened has been received: the time just before the ring was found to end, the last record's
     * stamp while more follows, or the moment since when something waits for room. Far in the past before the first
     * {@link #read}.
     */
    long handedOver() {
        return handedOver;
    }

    /** A record whose handling fails is passed over: the head is behind it before it is handled. */
    private void readRecords(long tail) {
        for (int n = 0; n < RECORDS_A_TURN && head < tail; n++) {
            int at = RingFile.HEADER + index(head);
            int length = view.getInt(at + TapRecord.LENGTH_AT);
            StreamEvent event = StreamEvent.of(view.get(at + TapRecord.EVENT_AT));
            if (event == null || length < 0 || length > TapRecord.LONGEST || TapRecord.size(length) > tail - head) {
                giveUp(tail);
                return;
            }
            long body = head + TapRecord.HEADER;
            head += TapRecord.size(length);
            receive(event, at, body, length);
            if (head - returned >= capacity / 8) {
                giveBack();
            }
        }
    }

    /** Lets the writer have the room of what was read. */
    private void giveBack() {
        file.head(head);
        returned = head;
    }

    private void giveUp(long tail) {
        head = tail;
        giveBack();
        receiver.damaged();
    }

    private void receive(StreamEvent event, int at, long body, int length) {
        int listener = Short.toUnsignedInt(view.getShort(at + TapRecord.LISTENER_AT));
        long connection = view.getLong(at + TapRecord.CONNECTION_AT);
        long nanos = view.getLong(at + TapRecord.NANOS_AT);
        lastNanos = nanos;
        long position = view.getLong(at + TapRecord.POSITION_AT);
        if (event == StreamEvent.REQUEST || event == StreamEvent.REPLY) {
            int start = index(body);
            int first = Math.min(length, capacity - start);
            receiver.data(event, listener, connection, nanos, position, bytes, RingFile.HEADER + start, first);
            if (first < length) {
                receiver.data(
                        event, listener, connection, nanos, position + first, bytes, RingFile.HEADER, length - first);
            }
        } else {
            byte flags = view.get(at + TapRecord.FLAGS_AT);
            receiver.event(event, flags, listener, connection, nanos, text(body, length));
        }
    }

    private ByteBuffer text(long body, int length) {
        byte[] text = new byte[length];
        int start = index(body);
        int first = Math.min(length, capacity - start);
        view.get(RingFile.HEADER + start, text, 0, first);
        view.get(RingFile.HEADER, text, first, length - first);
        return ByteBuffer.wrap(text);
    }

    private int index(long position) {
        return (int) (position & (capacity - 1));
    }
}
