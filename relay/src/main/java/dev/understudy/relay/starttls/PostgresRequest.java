package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;

/** The first packets of a PostgreSQL client that are about encryption (protocol manual, "Message Formats"). */
enum PostgresRequest {
    /** SSLRequest. */
    TLS,
    /** GSSENCRequest. */
    GSSAPI,
    /** Anything else, in plain text. */
    NONE,
    /** TLS itself. */
    BEGUN,
    /** Too few bytes to tell. */
    UNKNOWN;

    /** How long the two requests are. */
    static final int LENGTH = 8;

    private static final int TLS_CODE = 80877103;
    private static final int GSSAPI_CODE = 80877104;
    private static final int TLS_HANDSHAKE = 0x16;

    /** What {@code bytes} begin with. */
    static PostgresRequest of(ByteBuf bytes) {
        int from = bytes.readerIndex();
        if (bytes.isReadable() && bytes.getUnsignedByte(from) == TLS_HANDSHAKE) {
            return BEGUN;
        }
        if (bytes.readableBytes() < LENGTH) {
            return UNKNOWN;
        }
        int code = bytes.getInt(from) == LENGTH ? bytes.getInt(from + Integer.BYTES) : 0;
        return code == TLS_CODE ? TLS : code == GSSAPI_CODE ? GSSAPI : NONE;
    }

    /** SSLRequest as it is sent. */
    static ByteBuf write(ByteBuf to) {
        return to.writeInt(LENGTH).writeInt(TLS_CODE);
    }
}
