package dev.understudy.aggregator.mysql.record;

/**
 * A command that was sent.
 *
 * @param payload with the command's code in front
 * @param nanos when
 */
record Asked(byte[] payload, long nanos) {
    int code() {
        return payload[0] & 0xff;
    }
}
