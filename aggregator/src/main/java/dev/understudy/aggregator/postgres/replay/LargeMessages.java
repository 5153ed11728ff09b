package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.body.BodyReader;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.divergence.wire.postgres.BackendFramer;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgSink;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads messages that lie in files as wire bytes, some of them at a time. Confined to the connection's event loop. */
final class LargeMessages {
    private final Outlet outlet;
    private final BodyReader reader;
    private final BackendFramer framer;
    private List<PgMessage> read = new ArrayList<>();
    private boolean damaged;

    LargeMessages(LargeBody body, Outlet outlet) {
        this.outlet = outlet;
        this.reader = body.read();
        this.framer = new BackendFramer(
                new PgSink() {
                    @Override
                    public void message(PgMessage message, int rawLength) {
                        read.add(message);
                    }

                    @Override
                    public void oversized(char type, long rawLength) {
                        damaged = true;
                    }

                    @Override
                    public void unframed(String reason, int rawLength) {
                        damaged = true;
                    }
                },
                Integer.MAX_VALUE / 4);
    }

    boolean hasNext() {
        return reader.hasNext();
    }

    /** Tells the next messages, which may be none, or null if they can't be read back; not at all if the connection has ended. */
    void next(Consumer<@Nullable List<PgMessage>> then) {
        reader.next(outlet.room().executor(), piece -> {
            boolean lost = piece == null || !framed(piece);
            if (!reader.hasNext() || lost || !outlet.room().open()) {
                reader.close();
            }
            if (outlet.room().open()) {
                List<PgMessage> told = read;
                read = new ArrayList<>();
                then.accept(lost ? null : told);
            }
        });
    }

    private boolean framed(ByteBuf piece) {
        for (ByteBuffer bytes : piece.nioBuffers()) {
            framer.feed(bytes);
        }
        piece.release();
        return !damaged;
    }
}
