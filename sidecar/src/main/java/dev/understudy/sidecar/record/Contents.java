package dev.understudy.sidecar.record;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in a recording: its connections, in the order in which they begin.
 *
 * @param begunMillis when the recording was begun, epoch milliseconds
 * @param begunNanos the same moment on the clock of its records
 * @param torn what is wrong with its end, or null
 */
public record Contents(
        long begunMillis,
        long begunNanos,
        Collection<Summary> connections,
        @Nullable String torn) {
    /** One recorded connection. */
    public static final class Summary {
        private final long id;
        private final List<Long> blocks = new ArrayList<>();
        private final RequestLines requests = new RequestLines();
        private final RecordingTurns turns = new RecordingTurns();
        private String between = "";
        private String end = "still open";
        private long firstNanos;
        private long lastNanos;
        private long requestBytes;
        private long replyBytes;
        private int turnCount;

        Summary(long id) {
            this.id = id;
        }

        /** Its number, unique within the recording. */
        public long id() {
            return id;
        }

        /** Where its blocks are, in order; see {@link RecordingReader#blockAt}. */
        public List<Long> blocks() {
            return List.copyOf(blocks);
        }

        /** Client and local address, as text. */
        public String between() {
            return between;
        }

        /** Why it ended, or that it had not when the recording did. */
        public String end() {
            return end;
        }

        /** When it was accepted. */
        public long firstNanos() {
            return firstNanos;
        }

        /** When the last thing happened on it. */
        public long lastNanos() {
            return lastNanos;
        }

        /** Bytes of the client. */
        public long requestBytes() {
            return requestBytes;
        }

        /** Bytes of production. */
        public long replyBytes() {
            return replyBytes;
        }

        /** Its HTTP requests, as far as it has any. */
        public List<RequestLines.Line> requests() {
            return requests.lines();
        }

        /** How many turns its client had, of whatever protocol; see {@link TurnLines}. */
        public int turns() {
            return turnCount;
        }

        /** Whether it begins as HTTP/2 does. */
        boolean isHttp2() {
            return requests.isHttp2();
        }

        private void read(BlockReader block, long position) {
            if (blocks.isEmpty()) {
                firstNanos = block.nanos();
            }
            blocks.add(position);
            for (; block.hasRecord(); block.skip()) {
                lastNanos = block.nanos();
                turnCount += turns.begins(block.event()) ? 1 : 0;
                ByteBuf data = block.data();
                switch (block.event()) {
                    case OPENED -> between = data.toString(StandardCharsets.UTF_8);
                    case REQUEST -> {
                        requestBytes += data.readableBytes();
                        requests.feed(data.nioBuffer(), block.nanos());
                    }
                    case REPLY -> replyBytes += data.readableBytes();
                    case CLOSED -> end = data.toString(StandardCharsets.UTF_8);
                    case LOST -> end = "incomplete: " + data.toString(StandardCharsets.UTF_8);
                    case CONNECTED, PREFACE, REQUEST_END, REPLY_END -> {}
                }
                data.release();
            }
        }
    }

    /**
     * Reads all of {@code file}.
     *
     * @throws IOException if it can't be read or is no recording
     */
    public static Contents read(Path file) throws IOException {
        try (RecordingReader recording = RecordingReader.open(file)) {
            Map<Long, Summary> connections = new LinkedHashMap<>();
            long position = recording.position();
            for (BlockReader block = recording.next(); block != null; block = recording.next()) {
                if (block.hasRecord()) {
                    connections
                            .computeIfAbsent(block.connection(), Summary::new)
                            .read(block, position);
                }
                block.release();
                position = recording.position();
            }
            return new Contents(recording.epochMillis(), recording.nanos(), connections.values(), recording.torn());
        }
    }
}
