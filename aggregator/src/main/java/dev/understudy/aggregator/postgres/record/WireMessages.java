package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages as the bytes that they were on the wire. */
final class WireMessages {
    private WireMessages() {}

    static void write(List<PgMessage> messages, BodyWriter out) {
        for (PgMessage message : messages) {
            begin(message.type(), message.body().length, out);
            out.add(message.body());
        }
    }

    /** Begins one with a body of so many bytes, and takes these. */
    static MessageTaker taker(char type, int length, BodyWriter out) {
        begin(type, length, out);
        return new MessageTaker() {
            @Override
            public void bytes(ByteBuffer some) {
                out.add(some);
            }

            @Override
            public void end(int rawLength) {
                // whether all of it is kept is asked of the body
            }
        };
    }

    private static void begin(char type, int length, BodyWriter out) {
        out.add(ByteBuffer.allocate(PgMessage.HEADER)
                .put((byte) type)
                .putInt(length + Integer.BYTES)
                .flip());
    }
}
