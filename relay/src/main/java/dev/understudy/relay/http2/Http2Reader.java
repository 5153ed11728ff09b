package dev.understudy.relay.http2;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what one side of an HTTP/2 connection says about its streams, without being a part of the connection: it
 * acknowledges nothing and keeps no windows (RFC 9113).
 *
 * <p>Holds one header block at most, of up to 256 KiB, and the table that its sender's headers refer to; DATA goes on
 * as it comes. Never throws on what it is fed. Confined to one thread.
 */
public final class Http2Reader {
    /** Bytes of a list of headers, at most; as HTTP/1.1's heads are bounded. */
    static final int MAX_HEADERS = 64 * 1024;

    private static final int HEADER_TABLE_SIZE = 1;
    private static final int SETTING = 6;

    private final Sink sink;
    private final FrameCutter cutter = new FrameCutter(new Frames());
    private final HeaderBlocks blocks = new HeaderBlocks();
    private boolean over;

    /** Is told what was said, in order. */
    public interface Sink {
        /**
         * Headers of a stream: a head, or trailers.
         *
         * @param headers null if they are longer than 64 KiB, or not allowed at all
         * @param last whether they end the stream
         */
        void headers(int stream, @Nullable Http2Headers headers, boolean last);

        /**
         * Content of a stream, perhaps none; valid during the call only.
         *
         * @param last whether it ends the stream
         */
        void data(int stream, ByteBuffer content, boolean last);

        /** The stream is given up with {@code code}; -1 if none was said. */
        void reset(int stream, long code);

        /** The server promises a reply that nobody asked for. */
        void promised();

        /** The other side's headers may use a table of so many bytes. */
        default void tableSize(long bytes) {}

        /** A frame is over that was about none of this. */
        default void other() {}

        /** What comes can't be read, and isn't; called once, and last. */
        void malformed(String why);
    }

    public Http2Reader(Sink sink) {
        this.sink = sink;
    }

    /** Takes all remaining bytes. */
    public void feed(ByteBuffer in) {
        cutter.feed(in);
    }

    /**
     * What the other side's SETTINGS allow this one's table to have. What makes it smaller is left to the sender, whose
     * next block says so itself.
     */
    public void allow(long tableSize) {
        try {
            blocks.tableMayHave(tableSize);
        } catch (Http2Exception e) {
            giveUp(e.getMessage());
        }
    }

    /** Bytes that were taken, up to what the sink is being told of. */
    public long consumed() {
        return cutter.consumed();
    }

    /** Bytes that are held of what isn't complete, without the table. */
    public long heldBytes() {
        return over ? 0 : (long) cutter.heldBytes() + blocks.heldBytes();
    }

    /** Nothing more is read. */
    public void stop() {
        over = true;
        cutter.stop();
    }

    private void giveUp(@Nullable String why) {
        if (!over) {
            stop();
            sink.malformed("HTTP/2: " + why);
        }
    }

    private final class Frames implements FrameCutter.Sink {
        @Override
        public void frame(int type, int flags, int stream, ByteBuffer payload) {
            try {
                if (over || blocks.take(type, flags, stream, payload, sink)) {
                    return;
                }
            } catch (Http2Exception e) {
                giveUp(e.getMessage());
                return;
            }
            switch (type) {
                case FrameCutter.RST_STREAM -> sink.reset(stream, code(payload));
                case FrameCutter.SETTINGS -> settings(payload);
                default -> sink.other();
            }
        }

        private void settings(ByteBuffer payload) {
            while (payload.remaining() >= SETTING) {
                int name = payload.getShort();
                long value = payload.getInt() & 0xffff_ffffL;
                if (name == HEADER_TABLE_SIZE) {
                    sink.tableSize(value);
                }
            }
            sink.other();
        }

        private static long code(ByteBuffer payload) {
            return payload.remaining() < 4 ? -1 : payload.getInt() & 0xffff_ffffL;
        }

        @Override
        public void data(int stream, ByteBuffer content, boolean last) {
            if (blocks.isOpen()) {
                giveUp("headers interrupted");
            } else if (!over) {
                sink.data(stream, content, last);
            }
        }

        @Override
        public void malformed(String why) {
            giveUp(why);
        }
    }
}
