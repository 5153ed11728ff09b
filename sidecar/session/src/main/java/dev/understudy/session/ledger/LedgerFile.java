package dev.understudy.session.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a ledger's file holds. A line that can't be read is counted and left out: a crash cuts the last one short, and
 * what that would have made wasn't made.
 *
 * @param header the first line; empty if the session ended before it was written
 * @param entries what is still there, by id
 * @param unknown lines of kinds that this version doesn't know
 * @param damaged how many lines can't be read
 * @param last the highest id that was used
 * @param isClosed whether the session ended by itself
 */
record LedgerFile(
        Optional<SessionHeader> header,
        List<LedgerEntry> entries,
        List<String> unknown,
        int damaged,
        int last,
        boolean isClosed) {
    /** Of a file; a session rewrites its own long before. */
    static final int MOST_BYTES = 8 << 20;
    /** Of an entry. */
    static final int MOST_WORDS = 64;
    /** Of a word, in characters. */
    static final int LONGEST_WORD = 4096;

    private static final ObjectMapper JSON = ForeignJson.mapper(1_000);
    private static final int MOST_ENTRIES = 10_000;
    private static final int LONGEST_SHOWN = 200;

    /**
     * Reads a file.
     *
     * @throws IOException if it can't be read, or is larger than any ledger
     */
    static LedgerFile read(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return new LedgerFile(Optional.empty(), List.of(), List.of(), 0, 0, false);
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + ": not a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException(file + ": more than " + MOST_BYTES + " bytes");
        }
        return new Reader().read(new String(bytes, StandardCharsets.UTF_8));
    }

    static String line(SessionHeader header) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("session", header.session());
        line.put("target", header.target());
        line.put("copy", header.copy());
        line.put("since", header.since().toString());
        line.put("pid", header.pid());
        line.put("start", header.startTicks());
        line.put("images", header.images().toString());
        return json(line);
    }

    static String line(LedgerEntry entry) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", entry.id());
        line.put("kind", entry.kind().name());
        line.put("words", entry.words());
        return json(line);
    }

    static String goneLine(int id) {
        return json(Map.of("gone", id));
    }

    static String closedLine() {
        return json(Map.of("closed", true));
    }

    private static String json(Map<String, Object> line) {
        try {
            return JSON.writeValueAsString(line) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final class Reader {
        private final Map<Integer, LedgerEntry> entries = new TreeMap<>();
        private final List<String> unknown = new ArrayList<>();
        private Optional<SessionHeader> header = Optional.empty();
        private int damaged;
        private int last;
        private boolean isClosed;

        LedgerFile read(String text) {
            text.lines().forEach(this::line);
            return new LedgerFile(header, List.copyOf(entries.values()), List.copyOf(unknown), damaged, last, isClosed);
        }

        private void line(String text) {
            if (text.isBlank()) {
                return;
            }
            try {
                if (!node(JSON.readTree(text), text)) {
                    damaged++;
                }
            } catch (JsonProcessingException | DateTimeException | InvalidPathException unreadable) {
                damaged++;
            }
        }

        private boolean node(JsonNode node, String text) {
            if (node.path("session").isTextual()) {
                return header(node);
            }
            if (node.path("gone").isInt()) {
                entries.remove(node.path("gone").intValue());
                return true;
            }
            if (node.path("closed").isBoolean()) {
                isClosed = true;
                return true;
            }
            return node.path("id").isInt() && node.path("kind").isTextual() && entry(node, text);
        }

        private boolean header(JsonNode node) {
            String session = node.path("session").textValue();
            Path images = Path.of(node.path("images").asText());
            // all below it may be deleted
            boolean isOwn = images.isAbsolute()
                    && images.equals(images.normalize())
                    && images.endsWith("understudy-" + session);
            if (header.isPresent() || !FileLedger.ID.matcher(session).matches() || !isOwn) {
                return false;
            }
            header = Optional.of(new SessionHeader(
                    session,
                    node.path("target").asText(),
                    node.path("copy").asText(),
                    Instant.parse(node.path("since").asText()),
                    node.path("pid").asLong(),
                    node.path("start").asLong(),
                    images));
            return true;
        }

        private boolean entry(JsonNode node, String text) {
            List<String> words = new ArrayList<>();
            node.path("words").forEach(word -> words.add(word.asText()));
            int id = node.path("id").intValue();
            if (id < 1 || words.size() > MOST_WORDS || entries.size() + unknown.size() >= MOST_ENTRIES) {
                return false;
            }
            last = Math.max(last, id);
            for (Kind kind : Kind.values()) {
                if (kind.name().equals(node.path("kind").textValue())) {
                    entries.put(id, new LedgerEntry(id, kind, words));
                    return true;
                }
            }
            unknown.add(text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "…" : text);
            return true;
        }
    }
}
