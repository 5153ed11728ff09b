package dev.understudy.aggregator.body;

import java.util.function.Consumer;

/**
 * A run of bytes in files: part of one reply, which has it for itself alone. Whoever has the reply
 * {@linkplain #discard discards} it once nobody wants it any more; one that is forgotten is discarded in the end. Safe
 * for all threads.
 */
public final class LargeBody {
    private final LargeBodies store;
    private final BodySegments pieces;
    private final long id;
    private final long length;
    private final long sum;

    LargeBody(LargeBodies store, BodySegments pieces, long id, long length, long sum) {
        this.store = store;
        this.pieces = pieces;
        this.id = id;
        this.length = length;
        this.sum = sum;
        store.watch(this, pieces);
    }

    /** Tells it from all others, of other processes, too; never 0. */
    public long id() {
        return id;
    }

    /** Bytes. */
    public long length() {
        return length;
    }

    /** A checksum: equal for equal bytes. */
    public long sum() {
        return sum;
    }

    /** Tells, at once or on the files' thread, whether all of it is there, once that is known. */
    public void whenSettled(Consumer<Boolean> then) {
        pieces.whenSettled(then);
    }

    /** Begins to read it. */
    public BodyReader read() {
        return new BodyReader(store, this, pieces);
    }

    /** Deletes it; from any thread, at any time, any number of times. */
    public void discard() {
        pieces.discard();
    }
}
