package dev.understudy.aggregator.http.h2;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts one direction of an HTTP/2 connection into frames (RFC 9113, section 4.1).
 *
 * <p>Holds what has come of one frame, never what its length announces. Confined to one thread.
 */
final class FrameCutter {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int CONTINUATION = 9;

    /** No frame but DATA is longer; the format allows 16 MiB. */
    private static final int LONGEST = 1 << 20;

    private static final int HEAD = 9;

    private final Sink sink;
    private final byte[] head = new byte[HEAD];
    private byte[] payload = new byte[0];
    private int inHead;
    private int have;
    private int length;
    private boolean off;

    /** Is told of each frame. */
    interface Sink {
        /** One complete frame; {@code payload} is valid during the call only. */
        void frame(int type, int flags, int stream, ByteBuffer payload);

        /** What comes isn't HTTP/2; nothing follows. */
        void malformed(String why);
    }

    FrameCutter(Sink sink) {
        this.sink = sink;
    }

    /** Takes all remaining bytes. */
    void feed(ByteBuffer in) {
        while (in.hasRemaining() && !off) {
            if (inHead < HEAD) {
                head[inHead++] = in.get();
                if (inHead < HEAD) {
                    continue;
                }
                begin();
            }
            if (!off) {
                fill(in);
            }
        }
    }

    private void begin() {
        length = octet(0) << 16 | octet(1) << 8 | octet(2);
        have = 0;
        if (length > LONGEST && octet(3) != DATA) {
            off = true;
            payload = new byte[0];
            sink.malformed("a frame of " + length + " bytes");
        }
    }

    private void fill(ByteBuffer in) {
        int taken = Math.min(length - have, in.remaining());
        ByteBuffer piece = in.slice(in.position(), taken);
        in.position(in.position() + taken);
        if (taken == length) {
            complete(piece);
            return;
        }
        if (payload.length < have + taken) {
            payload = Arrays.copyOf(payload, Math.min(length, Math.max(have + taken, 2 * payload.length)));
        }
        piece.get(payload, have, taken);
        have += taken;
        if (have == length) {
            complete(ByteBuffer.wrap(payload, 0, have));
            payload = new byte[0];
        }
    }

    private void complete(ByteBuffer whole) {
        inHead = 0;
        have = 0;
        int stream = (octet(5) & 0x7f) << 24 | octet(6) << 16 | octet(7) << 8 | octet(8);
        sink.frame(octet(3), octet(4), stream, whole);
    }

    /** Bytes that are held of a frame that isn't complete. */
    int heldBytes() {
        return payload.length;
    }

    /** Nothing more is cut. */
    void stop() {
        off = true;
        payload = new byte[0];
    }

    private int octet(int n) {
        return head[n] & 0xff;
    }
}
