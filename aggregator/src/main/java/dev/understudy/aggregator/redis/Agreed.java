package dev.understudy.aggregator.redis;

import java.nio.charset.StandardCharsets;

/**
 * What a connection has agreed on with Redis that decides what its next command means, or how it is answered.
 *
 * @param part as it counts for a form; shared, never changed
 * @param text for people; nothing where it is what every connection begins with
 */
record Agreed(byte[] part, String text) {

    /** With no modes switched on. */
    static Agreed on(int database, int version) {
        return on(database, version, "");
    }

    /**
     * Makes one.
     *
     * @param version of the protocol
     * @param modes the names of what is switched on besides, in a fixed order; {@code ""} if nothing is
     */
    static Agreed on(int database, int version, String modes) {
        String text = (database == 0 ? "" : " [db " + database + "]")
                + (version == 3 ? " [RESP3]" : "")
                + (modes.isEmpty() ? "" : " [" + modes + "]");
        return new Agreed((version + " " + database + " " + modes).getBytes(StandardCharsets.US_ASCII), text);
    }
}
