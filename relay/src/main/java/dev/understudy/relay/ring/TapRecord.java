package dev.understudy.relay.ring;

/** Where the parts of a record's header are, and how long records are. */
final class TapRecord {
    static final int HEADER = 32;

    static final int LENGTH_AT = 0;
    static final int EVENT_AT = 4;
    static final int FLAGS_AT = 5;
    static final int LISTENER_AT = 6;
    static final int CONNECTION_AT = 8;
    static final int NANOS_AT = 16;
    static final int POSITION_AT = 24;

    /** The most bytes that any record carries. */
    static final int LONGEST = 64 << 10;

    /** Flag of OPENED: the connection went on already; what follows begins where a request may. */
    static final byte MIDSTREAM = 1;

    /** Flag of OPENED in midstream: production spoke last. */
    static final byte AFTER_REPLY = 2;

    /** Flag of OPENED in midstream: nobody has spoken yet. */
    static final byte UNTOUCHED = 4;

    private TapRecord() {}

    /** The most bytes of a read that a record carries in a ring of that capacity. */
    static int longest(int capacity) {
        return Math.min(LONGEST, capacity / 4);
    }

    /** What a record with so many bytes takes in the ring. */
    static int size(int length) {
        return HEADER + (length + HEADER - 1) / HEADER * HEADER;
    }
}
