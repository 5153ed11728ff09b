package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;

/**
 * Moves the numbers of one direction's packets while a MySQL client logs in: where one end has asked for TLS in a
 * packet and the other hasn't, they count differently. Looks at headers, and at the first byte of what the server says;
 * any pieces. Not for several threads.
 */
final class LoginNumbers {
    private static final int OK = 0x00;
    private static final int ERROR = 0xff;

    private final boolean servers;
    private final int by;
    private int header;
    private int left;
    private boolean begun;
    private boolean over;

    private LoginNumbers(boolean servers, int by) {
        this.servers = servers;
        this.by = by;
    }

    /** Of what the client says: it is over with its first command, which has the number 0. */
    static LoginNumbers ofClient(int by) {
        return new LoginNumbers(false, by);
    }

    /** Of what the server says: it is over when that lets the client in, or doesn't. */
    static LoginNumbers ofServer(int by) {
        return new LoginNumbers(true, by);
    }

    /** Whether the login is; what follows isn't changed. */
    boolean over() {
        return over;
    }

    /** Changes these bytes, which are the stream's next. */
    void move(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end && !over) {
            if (header < StartTlsLogin.HEADER) {
                header(bytes, at++);
            } else if (left == 0) {
                header = 0;
            } else {
                int type = bytes.getUnsignedByte(at);
                over = servers && !begun && (type == OK || type == ERROR);
                begun = true;
                int take = Math.min(left, end - at);
                left -= take;
                at += take;
            }
        }
    }

    private void header(ByteBuf bytes, int at) {
        int value = bytes.getUnsignedByte(at);
        if (header < StartTlsLogin.HEADER - 1) {
            left |= value << (Byte.SIZE * header);
        } else if (value != 0) {
            bytes.setByte(at, value + by);
        } else {
            over = !servers;
        }
        header++;
        begun = false;
    }
}
