package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.body.BodyReader;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.divergence.wire.postgres.BackendFramer;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgSink;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages that lie in files as wire bytes, some of them at a time; one that is too long to be held comes in
 * stretches. Confined to the connection's event loop.
 */
final class LargeMessages {
    /** Why an answer ends here. */
    static final String LOST = "the rest of it can't be read back from disk";

    /** Bytes of a message that is passed on whole, where it is passed on as it is. */
    static final int HELD = 256 << 10;

    private final PgOutlet outlet;
    private final BodyReader reader;
    private final BackendFramer framer;
    private final Queue<Run> runs = new ArrayDeque<>();
    private List<PgMessage> read = new ArrayList<>();
    private boolean damaged;
    private boolean within;

    /**
     * What is written next.
     *
     * @param messages whole ones; empty if this is a stretch
     * @param stretch wire bytes of a message that is longer; null if this isn't one
     * @param last whether the stretch is that message's last one
     */
    record Run(List<PgMessage> messages, byte @Nullable [] stretch, boolean last) {}

    /** @param whole bytes of a message that may be held */
    LargeMessages(LargeBody body, PgOutlet outlet, int whole) {
        this.outlet = outlet;
        this.reader = body.read();
        this.framer = new BackendFramer(new Cut(), whole);
    }

    boolean hasNext() {
        return !runs.isEmpty() || reader.hasNext();
    }

    /** Whether a message was begun that isn't told to its end. */
    boolean within() {
        return within;
    }

    /** Nobody wants the rest. */
    void close() {
        reader.close();
    }

    /**
     * Tells what is next, at once or later, which may be no messages; or null if it can't be read back; not at all if
     * the connection has ended.
     */
    void next(Consumer<@Nullable Run> then) {
        if (!runs.isEmpty()) {
            tell(then);
            return;
        }
        reader.next(outlet.room().executor(), piece -> {
            boolean lost = piece == null || !framed(piece);
            if (!reader.hasNext() || lost || !outlet.room().open()) {
                reader.close();
            }
            if (!outlet.room().open()) {
                runs.clear();
            } else if (lost) {
                then.accept(null);
            } else {
                tell(then);
            }
        });
    }

    private void tell(Consumer<@Nullable Run> then) {
        Run run = runs.remove();
        within = run.stretch() != null && !run.last();
        then.accept(run);
    }

    private boolean framed(ByteBuf piece) {
        for (ByteBuffer bytes : piece.nioBuffers()) {
            framer.feed(bytes);
        }
        piece.release();
        if (!reader.hasNext()) {
            framer.end();
        }
        if (!read.isEmpty() || runs.isEmpty()) {
            messagesEnd();
        }
        return !damaged;
    }

    private void messagesEnd() {
        runs.add(new Run(read, null, false));
        read = new ArrayList<>();
    }

    /** What stands in a piece. */
    private final class Cut implements PgSink {
        @Override
        public void message(PgMessage message, int rawLength) {
            read.add(message);
        }

        @Override
        public MessageTaker large(char type, int length) {
            if (!read.isEmpty()) {
                messagesEnd();
            }
            byte[] header = ByteBuffer.allocate(PgMessage.HEADER)
                    .put((byte) type)
                    .putInt(length + Integer.BYTES)
                    .array();
            runs.add(new Run(List.of(), header, false));
            return new MessageTaker() {
                @Override
                public void bytes(ByteBuffer some) {
                    byte[] stretch = new byte[some.remaining()];
                    some.get(stretch);
                    runs.add(new Run(List.of(), stretch, false));
                }

                @Override
                public void end(int rawLength) {
                    runs.add(new Run(List.of(), new byte[0], true));
                }
            };
        }

        @Override
        public void oversized(char type, long rawLength) {
            damaged = true;
        }

        @Override
        public void unframed(String reason, int rawLength) {
            damaged = true;
        }
    }
}
