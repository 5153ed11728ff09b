package dev.understudy.aggregator.body;

import dev.understudy.relay.stream.BlockWriter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of one body as they come; each piece goes to the files' thread as soon as it is full. Confined to one
 * thread, which never waits. It ends with {@link #finish} or {@link #abandon}.
 */
public final class BodyWriter {
    private final LargeBodies store;
    private final BodySegments pieces;
    private final long id;
    private final CRC32C sum = new CRC32C();
    private @Nullable BlockWriter piece;
    private int number;
    private long length;

    BodyWriter(LargeBodies store, long id) {
        this.store = store;
        this.id = id;
        this.pieces = new BodySegments(store);
    }

    /** Copies these bytes. After a {@link #loss} it ignores them. */
    public void add(ByteBuffer data) {
        length += data.remaining();
        if (pieces.loss() != null) {
            abandon();
            data.position(data.limit());
            return;
        }
        sum.update(data.duplicate());
        while (data.hasRemaining()) {
            BlockWriter into = piece;
            if (into == null) {
                into = store.piece(id, number++);
                piece = into;
            }
            if (!into.append(data)) {
                flush();
            }
        }
    }

    /** Copies these bytes. */
    public void add(byte[] data) {
        add(ByteBuffer.wrap(data));
    }

    /** Why the body can't be kept; null while it can. */
    public @Nullable Loss loss() {
        return pieces.loss();
    }

    /** Bytes so far. */
    public long length() {
        return length;
    }

    /** Bytes of memory that this holds; what waits for the disk is counted there. */
    public long heldBytes() {
        return piece == null ? 0 : LargeBodies.PIECE;
    }

    /** That was all. Its last pieces may still be on their way to the disk. */
    public LargeBody finish() {
        flush();
        pieces.seal();
        return new LargeBody(store, pieces, id, length, sum.getValue() << 32 ^ length);
    }

    /** Nobody wants it. */
    public void abandon() {
        release();
        pieces.discard();
    }

    private void flush() {
        BlockWriter full = piece;
        piece = null;
        if (full != null) {
            Loss refused = store.write(pieces, full);
            if (refused != null) {
                pieces.lost(refused);
            }
        }
    }

    private void release() {
        if (piece != null) {
            piece.release();
            piece = null;
        }
    }
}
