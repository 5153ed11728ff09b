package dev.understudy.relay.http2;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts one direction of an HTTP/2 connection into frames (RFC 9113, section 4.1).
 *
 * <p>DATA goes on as it comes. Of another frame it holds what has come, never what its length announces. Confined to
 * one thread.
 */
final class FrameCutter {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 0x1;
    static final int PADDED = 0x8;

    /** No frame but DATA is longer; the format allows 16 MiB. */
    private static final int LONGEST = 256 << 10;

    private static final int HEAD = 9;
    private static final int UNKNOWN = -1;

    private final Sink sink;
    private final byte[] head = new byte[HEAD];
    private byte[] payload = new byte[0];
    private int inHead;
    private int have;
    private int length;
    private int padding;
    private long consumed;
    private boolean off;

    /** Is told of each frame. */
    interface Sink {
        /** One complete frame other than DATA; {@code payload} is valid during the call only. */
        void frame(int type, int flags, int stream, ByteBuffer payload);

        /**
         * A part of a DATA frame without its padding, perhaps an empty one; valid during the call only.
         *
         * @param last whether it ends its stream
         */
        void data(int stream, ByteBuffer content, boolean last);

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
                consumed++;
                if (inHead == HEAD) {
                    begin();
                }
            } else if (type() == DATA) {
                data(in);
            } else {
                fill(in);
            }
        }
    }

    private void begin() {
        length = octet(0) << 16 | octet(1) << 8 | octet(2);
        have = 0;
        boolean padded = (flags() & PADDED) != 0;
        padding = padded ? UNKNOWN : 0;
        if (type() == DATA) {
            if (length == 0 && padded) {
                malformed("DATA with more padding than bytes");
            } else if (length == 0) {
                inHead = 0;
                sink.data(stream(), ByteBuffer.allocate(0), (flags() & END_STREAM) != 0);
            }
        } else if (length > LONGEST) {
            malformed("a frame of " + length + " bytes");
        } else if (length == 0) {
            complete(ByteBuffer.allocate(0));
        }
    }

    private void data(ByteBuffer in) {
        if (padding == UNKNOWN) {
            padding = in.get() & 0xff;
            consumed++;
            have = 1;
            if (padding > length - 1) {
                malformed("DATA with more padding than bytes");
                return;
            }
        }
        int taken = Math.min(length - have, in.remaining());
        int content = Math.max(0, Math.min(taken, length - padding - have));
        ByteBuffer piece = in.slice(in.position(), content);
        in.position(in.position() + taken);
        consumed += taken;
        have += taken;
        boolean whole = have == length;
        if (whole) {
            inHead = 0;
        }
        if (whole || content > 0) {
            sink.data(stream(), piece, whole && (flags() & END_STREAM) != 0);
        }
    }

    private void fill(ByteBuffer in) {
        int taken = Math.min(length - have, in.remaining());
        ByteBuffer piece = in.slice(in.position(), taken);
        in.position(in.position() + taken);
        consumed += taken;
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
            byte[] whole = payload;
            payload = new byte[0];
            complete(ByteBuffer.wrap(whole, 0, have));
        }
    }

    private void complete(ByteBuffer whole) {
        inHead = 0;
        sink.frame(type(), flags(), stream(), whole);
    }

    private void malformed(String why) {
        stop();
        sink.malformed(why);
    }

    /** Bytes that were taken, up to what the sink is being told of. */
    long consumed() {
        return consumed;
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

    private int type() {
        return octet(3);
    }

    private int flags() {
        return octet(4);
    }

    private int stream() {
        return (octet(5) & 0x7f) << 24 | octet(6) << 16 | octet(7) << 8 | octet(8);
    }

    private int octet(int n) {
        return head[n] & 0xff;
    }
}
