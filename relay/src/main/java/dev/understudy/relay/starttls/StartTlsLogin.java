package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;

/**
 * The first packets of a MySQL connection, as far as they are about TLS: one bit of the capabilities in the server's
 * greeting, and in the client's answer to it (client/server protocol, "Connection Phase").
 */
final class StartTlsLogin {
    /** Length and number of a packet. */
    static final int HEADER = 4;

    /**
     * Bytes of a whole request for TLS, and of what every login begins with: capabilities, limit, collation, reserved.
     */
    static final int FIXED = HEADER + 32;

    /** Where the bit is in a client's answer. */
    static final int ANSWER_BIT = HEADER + 1;

    /** No greeting is as long as that; a version has 60 bytes at most, the rest is fixed or a plug-in's name. */
    static final int LONGEST_GREETING = 1024;

    /** Not all of the greeting is there yet. */
    static final int INCOMPLETE = -1;

    /** It is an error, or no greeting of today. */
    static final int NO_GREETING = -2;

    /** CLIENT_SSL, in the second byte of the capabilities. */
    private static final int TLS = 0x08;

    private static final int VERSION_10 = 10;

    /** Connection number, first part of the challenge and its end, first byte of the capabilities. */
    private static final int BEHIND_VERSION = 4 + 8 + 1 + 1;

    private StartTlsLogin() {}

    /**
     * Where the bit is in the greeting that {@code bytes} begin with; or {@link #INCOMPLETE} or {@link #NO_GREETING}.
     */
    static int greetingBit(ByteBuf bytes) {
        if (bytes.readableBytes() <= HEADER) {
            return INCOMPLETE;
        }
        int from = bytes.readerIndex();
        int end = from + packetLength(bytes);
        if (end - from > LONGEST_GREETING || end == from + HEADER) {
            return NO_GREETING;
        }
        if (bytes.writerIndex() < end) {
            return INCOMPLETE;
        }
        int zero = bytes.getByte(from + HEADER) == VERSION_10 ? bytes.indexOf(from + HEADER + 1, end, (byte) 0) : -1;
        int place = zero + 1 + BEHIND_VERSION;
        return zero < 0 || place >= end ? NO_GREETING : place - from;
    }

    /** Length of the packet that {@code bytes} begin with, with its header. */
    static int packetLength(ByteBuf bytes) {
        return HEADER + bytes.getUnsignedMediumLE(bytes.readerIndex());
    }

    static boolean saysTls(ByteBuf bytes, int place) {
        return (bytes.getByte(bytes.readerIndex() + place) & TLS) != 0;
    }

    static void sayTls(ByteBuf bytes, int place, boolean tls) {
        int at = bytes.readerIndex() + place;
        bytes.setByte(at, tls ? bytes.getByte(at) | TLS : bytes.getByte(at) & ~TLS);
    }

    /** The request for TLS of a client that goes on with the login that {@code login} begins with. */
    static ByteBuf requestTls(ByteBuf login, ByteBuf to) {
        to.writeMediumLE(FIXED - HEADER).writeByte(login.getByte(login.readerIndex() + HEADER - 1));
        to.writeBytes(login, login.readerIndex() + HEADER, FIXED - HEADER);
        sayTls(to, ANSWER_BIT, true);
        return to;
    }
}
