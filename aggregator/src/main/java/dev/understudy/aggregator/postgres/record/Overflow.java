package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.body.Loss;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages of one reply that were too many for memory, as wire bytes on their way to files. Confined to its connection. */
final class Overflow {
    private static final int HEADER = 5;

    private @Nullable BodyWriter body;

    /** Takes these messages. */
    void add(LargeBodies bodies, List<PgMessage> messages) {
        BodyWriter into = body;
        if (into == null) {
            into = bodies.begin();
            body = into;
        }
        byte[] header = new byte[HEADER];
        for (PgMessage message : messages) {
            ByteBuffer.wrap(header).put((byte) message.type()).putInt(message.body().length + Integer.BYTES);
            into.add(header);
            into.add(message.body());
        }
    }

    /** Whether there is any. */
    boolean any() {
        return body != null;
    }

    /** Why it isn't kept; null if it is, or there is none. */
    @Nullable
    Unrecorded lost() {
        Loss loss = body == null ? null : body.loss();
        return loss == null ? null : Unrecorded.of(loss);
    }

    /** All of it, of which nothing is here any more; null if there is none. */
    @Nullable
    LargeBody take() {
        BodyWriter whole = body;
        body = null;
        return whole == null ? null : whole.finish();
    }

    void abandon() {
        if (body != null) {
            body.abandon();
            body = null;
        }
    }
}
