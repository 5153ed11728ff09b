package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Takes the body of one message that is too long to be held whole. */
public interface MessageTaker {
    /** Takes all of these bytes of the body; they are valid during the call only. */
    void bytes(ByteBuffer some);

    /** The message is complete; on the wire it had so many bytes. */
    void end(int rawLength);

    /** Tells what comes as messages of the same type, where they mean the same together. */
    static MessageTaker inPieces(char type, Consumer<PgMessage> told) {
        return new MessageTaker() {
            @Override
            public void bytes(ByteBuffer some) {
                byte[] piece = new byte[some.remaining()];
                some.get(piece);
                told.accept(new PgMessage(type, piece));
            }

            @Override
            public void end(int rawLength) {
                // all of it was told
            }
        };
    }
}
