package dev.understudy.sidecar.frame.http;

import io.netty.buffer.ByteBuf;

/**
 * Finds the frames in one direction of an HTTP/2 connection, and nothing of what is in them (RFC 9113, section 4.1).
 *
 * <p>Keeps nine bytes at most, whatever it is fed. Confined to one thread.
 */
final class Http2Frames {
    private static final int HEAD = 9;

    private final Found found;
    private final byte[] head = new byte[HEAD];
    private int inHead;
    private int payloadLeft;

    /** Is told of each frame once all of it has come. */
    interface Found {
        void frame(int type, int flags, int stream);
    }

    Http2Frames(Found found) {
        this.found = found;
    }

    /** Looks at {@code data} from {@code at} on, and leaves it as it is. */
    void look(ByteBuf data, int at) {
        int end = data.writerIndex();
        int next = at;
        while (next < end) {
            if (payloadLeft > 0) {
                int skipped = Math.min(payloadLeft, end - next);
                payloadLeft -= skipped;
                next += skipped;
            } else {
                head[inHead++] = data.getByte(next++);
                if (inHead < HEAD) {
                    continue;
                }
                payloadLeft = octet(0) << 16 | octet(1) << 8 | octet(2);
            }
            if (payloadLeft == 0) {
                inHead = 0;
                found.frame(octet(3), octet(4), (octet(5) & 0x7f) << 24 | octet(6) << 16 | octet(7) << 8 | octet(8));
            }
        }
    }

    private int octet(int n) {
        return head[n] & 0xff;
    }
}
