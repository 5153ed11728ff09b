package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages as the bytes that they were on the wire. */
final class WireMessages {
    private static final int HEADER = 5;

    private WireMessages() {}

    static void write(List<PgMessage> messages, BodyWriter out) {
        byte[] header = new byte[HEADER];
        for (PgMessage message : messages) {
            ByteBuffer.wrap(header).put((byte) message.type()).putInt(message.body().length + Integer.BYTES);
            out.add(header);
            out.add(message.body());
        }
    }
}
