package dev.understudy.observatory.event;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the exchanges of a recording, block by block: what is held is what the connections open at that moment need.
 */
final class RecordingExchanges {
    /** Connections open at the same time that are followed; blocks of others are left out and counted. */
    static final int MOST_OPEN = 100_000;

    private final String tier;
    private final RecordingReader recording;
    private final TierSink sink;
    private final SourceCounts counts = new SourceCounts();
    private final Map<Long, ConnectionExchanges> open = new HashMap<>();

    private RecordingExchanges(String tier, RecordingReader recording, TierSink sink) {
        this.tier = tier;
        this.recording = recording;
        this.sink = sink;
    }

    /** Reads all of it; what is wrong with its end is in the counts. */
    static SourceCounts read(String tier, Path file, TierSink sink) throws IOException {
        try (RecordingReader recording = RecordingReader.open(file)) {
            return new RecordingExchanges(tier, recording, sink).read();
        }
    }

    private SourceCounts read() throws IOException {
        for (BlockReader block = recording.next(); block != null; block = recording.next()) {
            try {
                read(block);
            } finally {
                block.release();
            }
        }
        for (ConnectionExchanges connection : open.values()) {
            connection.end();
        }
        String torn = recording.torn();
        if (torn != null) {
            counts.omitted(SourceCounts.Omission.DAMAGED, 1);
            counts.note("its end is torn: " + torn);
        }
        return counts;
    }

    private void read(BlockReader block) throws IOException {
        long id = block.connection();
        for (; block.hasRecord(); block.skip()) {
            ConnectionExchanges connection = open.get(id);
            if (connection == null) {
                if (open.size() >= MOST_OPEN) {
                    counts.omitted(SourceCounts.Omission.INCOMPLETE, 1);
                    return;
                }
                connection = new ConnectionExchanges(tier, id, sink, counts);
                open.put(id, connection);
            }
            connection.at(micros(block.nanos()));
            ByteBuf data = block.data();
            try {
                switch (block.event()) {
                    case REQUEST -> connection.request(data.nioBuffer());
                    case REPLY -> connection.reply(data.nioBuffer());
                    case REPLY_END -> connection.replyEnd();
                    case LOST -> connection.lost();
                    case CLOSED -> {
                        connection.end();
                        open.remove(id);
                    }
                    case OPENED, CONNECTED, PREFACE, REQUEST_END -> {}
                }
            } finally {
                data.release();
            }
        }
    }

    private long micros(long nanos) {
        return recording.epochMillis() * 1000 + Math.floorDiv(nanos - recording.nanos(), 1000);
    }
}
