package dev.understudy.aggregator.body;

import dev.understudy.relay.stream.SpilledBlock;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a body from its start to its end, a piece at a time. Confined to one thread. */
public final class BodyReader {
    private final LargeBodies store;
    private final LargeBody body;
    private final BodySegments pieces;
    private int number;
    private long read;

    BodyReader(LargeBodies store, LargeBody body, BodySegments pieces) {
        this.store = store;
        this.body = body;
        this.pieces = pieces;
    }

    /** Whether there is more. */
    public boolean hasNext() {
        return read < body.length();
    }

    /**
     * Reads the next piece; to be called again once that was told.
     *
     * @param caller where {@code then} runs, which never happens before this returns
     * @param then is given the bytes, which are its to release; or null if they can't be read back
     */
    public void next(Executor caller, Consumer<@Nullable ByteBuf> then) {
        SpilledBlock place = pieces.place(number++);
        if (place == null) {
            caller.execute(() -> then.accept(null));
            return;
        }
        store.read(place, caller, piece -> {
            read += piece == null ? 0 : piece.readableBytes();
            then.accept(piece);
        });
    }

    /** Nobody wants the body any more, whether it was read to its end or not. */
    public void close() {
        body.discard();
    }
}
