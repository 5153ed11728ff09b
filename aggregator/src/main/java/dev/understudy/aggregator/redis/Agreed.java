package dev.understudy.aggregator.redis;

import java.nio.charset.StandardCharsets;

/**
 * What a connection has agreed on with Redis that decides what its next command means, or how it is answered.
 *
 * @param version of the protocol
 * @param modes the names of what is switched on besides, in a fixed order; {@code ""} if nothing is
 */
record Agreed(int database, int version, String modes) {
    Agreed(int database, int version) {
        this(database, version, "");
    }

    byte[] part() {
        return (version + " " + database + " " + modes).getBytes(StandardCharsets.US_ASCII);
    }

    /** For people; nothing where it is what every connection begins with. */
    String text() {
        return (database == 0 ? "" : " [db " + database + "]")
                + (version == 3 ? " [RESP3]" : "")
                + (modes.isEmpty() ? "" : " [" + modes + "]");
    }
}
