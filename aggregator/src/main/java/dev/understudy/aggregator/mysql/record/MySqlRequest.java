package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.mysql.sql.LongRest;
import org.jspecify.annotations.Nullable;

/**
 * A command that was sent.
 *
 * @param payload with the command's code in front
 * @param rest what is known of the command if the payload is its beginning only; null if it is all of it
 * @param nanos when
 */
record MySqlRequest(byte[] payload, @Nullable LongRest rest, long nanos) {
    int code() {
        return payload[0] & 0xff;
    }
}
