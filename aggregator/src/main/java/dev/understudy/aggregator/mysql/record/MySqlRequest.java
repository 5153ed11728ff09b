package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import org.jspecify.annotations.Nullable;

/**
 * A command that was sent.
 *
 * @param payload with the command's code in front
 * @param rest what is known of the command if the payload is its beginning only; null if it is all of it
 * @param nanos when
 */
record MySqlRequest(byte[] payload, @Nullable LongRest rest, long nanos) {
    /** Whether it came in several packets, so that its answer doesn't begin with the number 1. */
    boolean hasSeveralPackets() {
        return rest != null || payload.length >= PacketFramer.FULL;
    }

    int code() {
        return payload[0] & 0xff;
    }
}
