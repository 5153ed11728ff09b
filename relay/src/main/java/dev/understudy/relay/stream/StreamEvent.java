package dev.understudy.relay.stream;

import org.jspecify.annotations.Nullable;

/** What a record of a block says happened on its connection. */
public enum StreamEvent {
    /** The connection was accepted; the bytes say between whom, in text. Recordings only. */
    OPENED(1),
    /** Production accepted the connection. */
    CONNECTED(2),
    /** Bytes of the client. */
    REQUEST(3),
    /** Bytes of production. */
    REPLY(4),
    /** The client sent its FIN. */
    REQUEST_END(5),
    /** Production sent its FIN. */
    REPLY_END(6),
    /** Nothing follows; the bytes say why, in text. Recordings only. */
    CLOSED(7),
    /** What follows the hole could not be kept; the bytes say why, in text. Recordings only. */
    LOST(8),
    /** Bytes that production got before the client's first, such as a PROXY header. Recordings only. */
    PREFACE(9);

    private static final StreamEvent[] BY_CODE = new StreamEvent[10];

    static {
        for (StreamEvent event : values()) {
            BY_CODE[event.code] = event;
        }
    }

    private final byte code;

    StreamEvent(int code) {
        this.code = (byte) code;
    }

    /** Its number in records. */
    public byte code() {
        return code;
    }

    /** The event with that code, or null if there is none. */
    public static @Nullable StreamEvent of(byte code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
