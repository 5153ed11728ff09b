package dev.understudy.sidecar.record;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the two directions of one recorded connection. Times are those of {@link BlockReader#nanos}. */
public interface RecordedDialogue {
    /** The client's next bytes. */
    void request(ByteBuffer bytes, long nanos);

    /** Production's next bytes. */
    void reply(ByteBuffer bytes, long nanos);

    /** Production has ended its direction in order. */
    void replyEnd(long nanos);

    /** Reads the record at which {@code block} stands, if it is of a direction. */
    default void read(BlockReader block) {
        ByteBuf data = block.data();
        try {
            switch (block.event()) {
                case REQUEST -> request(data.nioBuffer(), block.nanos());
                case REPLY -> reply(data.nioBuffer(), block.nanos());
                case REPLY_END -> replyEnd(block.nanos());
                case OPENED, PREFACE, CONNECTED, REQUEST_END, CLOSED, LOST -> {}
            }
        } finally {
            data.release();
        }
    }

    /**
     * Reads all of a connection.
     *
     * @throws IOException if the recording can't be read any more
     */
    default void read(RecordingReader recording, Contents.Summary connection) throws IOException {
        for (long position : connection.blocks()) {
            BlockReader block = recording.blockAt(position);
            try {
                for (; block.hasRecord(); block.skip()) {
                    read(block);
                }
            } finally {
                block.release();
            }
        }
    }
}
