package dev.understudy.sidecar.record;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A recording's HTTP exchanges as an HTTP Archive (HAR 1.2): heads with credentials masked, sizes and times; no bodies,
 * in which nothing could be masked for sure. Confined to its caller.
 */
public final class Har {
    /** Adds what one connection's two directions say to the archive. */
    interface Dialogue {
        void request(ByteBuffer bytes, long nanos);

        void reply(ByteBuffer bytes, long nanos);

        void replyEnd(long nanos);
    }

    private final Contents contents;
    private final List<ArchivedExchange> exchanges = new ArrayList<>();

    private Har(Contents contents) {
        this.contents = contents;
    }

    /**
     * The archive's document.
     *
     * @param wanted which connections go into it
     * @throws IOException if the recording can't be read any more
     */
    public static Map<String, Object> read(
            Path file, Contents contents, Predicate<Contents.Summary> wanted, Masking masking) throws IOException {
        Har har = new Har(contents);
        try (RecordingReader recording = RecordingReader.open(file)) {
            for (Contents.Summary summary : contents.connections()) {
                if (wanted.test(summary)) {
                    har.read(recording, summary);
                }
            }
        }
        har.exchanges.sort((a, b) -> Long.signum(a.begunNanos - b.begunNanos));
        Map<String, String> creator = Map.of("name", "understudy", "version", "1");
        List<Map<String, Object>> entries = har.exchanges.stream()
                .map(exchange -> exchange.entry(har.at(exchange.begunNanos), masking))
                .toList();
        return Map.of("log", Map.of("version", "1.2", "creator", creator, "entries", entries));
    }

    private void read(RecordingReader recording, Contents.Summary summary) throws IOException {
        Dialogue dialogue = summary.isHttp2()
                ? new Http2Archive(summary.id(), exchanges)
                : new Http1Archive(summary.id(), exchanges);
        for (long position : summary.blocks()) {
            BlockReader block = recording.blockAt(position);
            for (; block.hasRecord(); block.skip()) {
                read(block, dialogue);
            }
            block.release();
        }
    }

    private static void read(BlockReader block, Dialogue dialogue) {
        ByteBuf data = block.data();
        switch (block.event()) {
            case REQUEST -> dialogue.request(data.nioBuffer(), block.nanos());
            case REPLY -> dialogue.reply(data.nioBuffer(), block.nanos());
            case REPLY_END -> dialogue.replyEnd(block.nanos());
            case OPENED, PREFACE, CONNECTED, REQUEST_END, CLOSED, LOST -> {}
        }
        data.release();
    }

    private String at(long nanos) {
        return Instant.ofEpochMilli(contents.begunMillis())
                .plusNanos(nanos - contents.begunNanos())
                .toString();
    }
}
