package dev.understudy.aggregator.tcp;

/**
 * One thing that happened on a production connection.
 *
 * @param bytes what was said; shared, and never changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record TcpSegment(Kind kind, byte[] bytes) {

    enum Kind {
        REQUEST,
        REPLY,
        /** Production's client says nothing more. */
        REQUEST_END,
        /** The server says nothing more. */
        REPLY_END,
        /** The connection is over. */
        CLOSED,
        /** It isn't known what came then. */
        LOST
    }

    TcpSegment(Kind kind) {
        this(kind, new byte[0]);
    }

    long cost() {
        return 64L + bytes.length;
    }
}
