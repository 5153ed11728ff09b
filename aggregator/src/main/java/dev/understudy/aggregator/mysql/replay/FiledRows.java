package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.body.BodyReader;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives rows that lie in files to the debug client, as they are but for their numbers, and as fast as it reads. A row
 * may be larger than all memory. Confined to the connection's event loop.
 */
final class FiledRows {
    private static final int HEADER = 4;

    private final MySqlOutlet outlet;
    private final BodyReader reader;
    private Consumer<Boolean> then = whole -> {};
    private @Nullable ByteBuf piece;
    private long wanted;
    private int header;
    private int length;
    private int left;
    private boolean continued;
    private boolean waiting;
    private boolean running;
    private boolean over;

    FiledRows(LargeBody body, MySqlOutlet outlet) {
        this.outlet = outlet;
        this.reader = body.read();
    }

    /**
     * Writes the next rows, of which there are so many; {@code whenWritten} is told whether they could be read back.
     */
    void write(long rows, Consumer<Boolean> whenWritten) {
        wanted = rows;
        then = whenWritten;
        run();
    }

    /** Whether a row was begun that isn't complete. */
    boolean inRow() {
        return header > 0 || continued;
    }

    /** Nobody wants the rest. */
    void close() {
        if (!over) {
            over = true;
            reader.close();
            drop();
        }
    }

    /** A loop rather than a recursion: the client may have read at once. */
    private void run() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (!over && !waiting && wanted > 0) {
                step();
            }
        } finally {
            running = false;
        }
        if (!over && !waiting) {
            then.accept(true);
        }
    }

    private void step() {
        ByteBuf some = piece;
        if (some != null) {
            pass(some);
            waiting = outlet.room().full() && outlet.room().waits(this::readOn);
        } else {
            waiting = true;
            reader.next(outlet.room().executor(), this::read);
        }
    }

    private void read(@Nullable ByteBuf next) {
        waiting = false;
        if (over) {
            if (next != null) {
                next.release();
            }
        } else if (next == null) {
            close();
            then.accept(false);
        } else {
            piece = next;
            run();
        }
    }

    private void readOn() {
        waiting = false;
        run();
    }

    /** Writes what belongs to rows that are wanted. */
    private void pass(ByteBuf some) {
        int at = some.readerIndex();
        while (at < some.writerIndex() && wanted > 0) {
            if (header < HEADER) {
                head(some, at);
                at++;
            } else {
                int step = Math.min(left, some.writerIndex() - at);
                at += step;
                left -= step;
            }
            if (header == HEADER && left == 0) {
                header = 0;
                continued = length == PacketFramer.FULL;
                length = 0;
                wanted -= continued ? 0 : 1;
            }
        }
        outlet.pass(some.readRetainedSlice(at - some.readerIndex()));
        if (!some.isReadable()) {
            drop();
        }
    }

    private void head(ByteBuf some, int at) {
        if (header < HEADER - 1) {
            length |= some.getUnsignedByte(at) << (8 * header);
            left = length;
        } else {
            some.setByte(at, outlet.next());
        }
        header++;
    }

    private void drop() {
        if (piece != null) {
            piece.release();
            piece = null;
        }
    }
}
