package dev.understudy.relay.lane;

import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.SpilledBlock;
import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A block of a backlog, wherever it lies. Confined to its lane loop. */
final class Waiting {
    @Nullable
    ByteBuf memory;

    @Nullable
    SpilledBlock disk;

    long charge;
    int position = BlockWriter.HEADER;
    long nanos;
    long requestBytes;
    long replyBytes;

    void count(StreamEvent event, int bytes) {
        if (event == StreamEvent.REQUEST) {
            requestBytes += bytes;
        } else {
            replyBytes += bytes;
        }
    }
}
