package dev.understudy.aggregator.fact;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of one server itself, in a small file from which the next process knows it: a debug JVM that comes
 * before any of production's connections is greeted as by production's server. A file that can't be read, is damaged,
 * or is of another upstream counts as none, which is logged. Safe for all threads.
 */
public final class ServerFile {
    static final int MOST_BYTES = 1 << 20;

    private static final Logger log = LoggerFactory.getLogger(ServerFile.class);
    private static final int FORMAT = 1;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Path file;
    private final String upstream;
    private final Executor writer;
    private final AtomicReference<@Nullable Map<String, Object>> latest = new AtomicReference<>();
    private byte[] written = {};

    /**
     * One that nothing was read from yet.
     *
     * @param upstream whose server it is; what another one wrote there isn't read
     * @param writer runs what writes, one after the other
     */
    public ServerFile(Path file, String upstream, Executor writer) {
        this.file = file;
        this.upstream = upstream;
        this.writer = writer;
    }

    /** What an earlier process knew under these keys. */
    Map<ServerKey<?>, Object> read(List<ServerKey<?>> keys) {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            return parse(keys);
        } catch (IOException | RuntimeException unreadable) {
            String why = unreadable instanceof JacksonException damaged
                    ? damaged.getOriginalMessage()
                    : unreadable.toString();
            log.warn("{} isn't read, production's next login brings the same: {}", file, why);
            return Map.of();
        }
    }

    private Map<ServerKey<?>, Object> parse(List<ServerKey<?>> keys) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException("more than " + MOST_BYTES + " bytes");
        }
        JsonNode root = JSON.readTree(bytes);
        if (root.path("format").asInt() != FORMAT
                || !root.path("upstream").asText().equals(upstream)) {
            throw new IOException("of another upstream, or in another format");
        }
        Map<ServerKey<?>, Object> known = new HashMap<>();
        for (ServerKey<?> key : keys) {
            JsonNode value = root.path("server").get(key.name());
            if (value != null && !value.isNull()) {
                known.put(key, JSON.treeToValue(value, key.type()));
            }
        }
        return known;
    }

    /** Leaves it to the writer to write all of this, unless something later comes before. */
    void write(Map<ServerKey<?>, Object> known) {
        Map<String, Object> named = new HashMap<>();
        known.forEach((key, value) -> named.put(key.name(), value));
        if (latest.getAndSet(named) == null) {
            writer.execute(this::writeLatest);
        }
    }

    private synchronized void writeLatest() {
        Map<String, Object> known = latest.getAndSet(null);
        if (known == null) {
            return;
        }
        try {
            byte[] bytes = json(known);
            if (bytes.length <= MOST_BYTES && !Arrays.equals(bytes, written)) {
                OwnerOnly.replace(file, bytes);
                written = bytes;
            }
        } catch (IOException | RuntimeException unwritable) {
            log.warn("{} can't be written: {}", file, unwritable.toString());
        }
    }

    private byte[] json(Map<String, Object> known) throws JacksonException {
        ObjectNode root = JSON.createObjectNode().put("format", FORMAT).put("upstream", upstream);
        ObjectNode server = root.putObject("server");
        known.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(fact -> server.set(fact.getKey(), JSON.valueToTree(fact.getValue())));
        return JSON.writeValueAsBytes(root);
    }
}
