package dev.understudy.sidecar.record;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.stream.RecordingReader;
import java.io.IOException;
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
                    RecordedDialogue dialogue = summary.isHttp2()
                            ? new Http2Archive(summary.id(), har.exchanges)
                            : new Http1Archive(summary.id(), har.exchanges);
                    dialogue.read(recording, summary);
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

    private String at(long nanos) {
        return Instant.ofEpochMilli(contents.begunMillis())
                .plusNanos(nanos - contents.begunNanos())
                .toString();
    }
}
