package dev.understudy.aggregator.journal;

/** What an upstream answered to one request, in whatever shape its protocol replays best. Immutable. */
public interface Reply {

    /** Bytes of memory that this reply holds, without the fixed overhead of a journal entry. */
    long bytes();

    /**
     * Tells different answers apart: equal for two replies that say the same. Dates and request ids of a protocol's head are
     * left out.
     */
    long answer();
}
