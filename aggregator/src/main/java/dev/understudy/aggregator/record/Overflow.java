package dev.understudy.aggregator.record;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.body.Loss;
import org.jspecify.annotations.Nullable;

/** The part of one reply that was too much for memory, as bytes on their way to files. Confined to its connection. */
public final class Overflow {
    private @Nullable BodyWriter body;

    /** What takes the next bytes. */
    public BodyWriter into(LargeBodies bodies) {
        BodyWriter into = body;
        if (into == null) {
            into = bodies.begin();
            body = into;
        }
        return into;
    }

    /** Whether there is any. */
    public boolean any() {
        return body != null;
    }

    /** Bytes of memory that this holds. */
    public long heldBytes() {
        return body == null ? 0 : body.heldBytes();
    }

    /** Why it isn't kept; null if it is, or there is none. */
    public @Nullable Unrecorded lost() {
        Loss loss = body == null ? null : body.loss();
        return loss == null ? null : Unrecorded.of(loss);
    }

    /** All of it, of which nothing is here any more; null if there is none. */
    public @Nullable LargeBody take() {
        BodyWriter whole = body;
        body = null;
        return whole == null ? null : whole.finish();
    }

    /** Nobody wants it. */
    public void abandon() {
        if (body != null) {
            body.abandon();
            body = null;
        }
    }
}
