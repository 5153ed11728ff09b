package dev.understudy.session.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a bundle says of itself, in its first entry.
 *
 * @param created when it was made
 * @param version of what made it
 * @param java the Java version of what made it
 * @param entries all others, in their order
 */
record BundleManifest(Instant created, String version, String java, List<Entry> entries) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One entry.
     *
     * @param bytes unpacked
     * @param sha256 of those, in lower-case hexadecimal digits
     */
    record Entry(String name, long bytes, String sha256) {}

    BundleManifest {
        entries = List.copyOf(entries);
    }

    byte[] json() throws JsonProcessingException {
        ObjectNode top = JSON.createObjectNode()
                .put("format", BundleLimits.FORMAT)
                .put("created", created.toString())
                .put("version", version)
                .put("java", java)
                .put("contents", "as captured: masked as at capture only")
                .put("count", entries.size());
        ArrayNode list = top.putArray("entries");
        for (Entry entry : entries) {
            list.addObject().put("name", entry.name).put("bytes", entry.bytes).put("sha256", entry.sha256);
        }
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(top);
    }

    /**
     * Reads one.
     *
     * @throws BundleException if it isn't one of this format, or promises more than a bundle may have
     */
    static BundleManifest parse(byte[] json) throws BundleException {
        JsonNode top;
        try {
            top = JSON.readTree(json);
        } catch (IOException malformed) {
            throw new BundleException(BundleLimits.MANIFEST + ": no JSON", malformed);
        }
        int format = top.path("format").asInt(-1);
        if (format != BundleLimits.FORMAT) {
            throw new BundleException(BundleLimits.MANIFEST + ": format " + format + " (expected: "
                    + BundleLimits.FORMAT + "; another version of understudy has made it)");
        }
        List<Entry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long bytes = 0;
        for (JsonNode each : top.path("entries")) {
            Entry entry = entry(each);
            bytes += entry.bytes;
            if (!names.add(entry.name)) {
                throw new BundleException(BundleLimits.MANIFEST + ": " + entry.name + " is listed twice");
            }
            if (bytes > BundleLimits.MOST_BYTES || names.size() > BundleLimits.MOST_ENTRIES) {
                throw new BundleException(BundleLimits.MANIFEST + ": too much (expected: at most "
                        + BundleLimits.MOST_BYTES + " bytes in " + BundleLimits.MOST_ENTRIES + " entries)");
            }
            entries.add(entry);
        }
        for (String needed : List.of(BundleLimits.RECORDING, BundleLimits.UPSTREAMS)) {
            if (!names.contains(needed)) {
                throw new BundleException(BundleLimits.MANIFEST + ": no " + needed);
            }
        }
        return new BundleManifest(created(top), text(top, "version"), text(top, "java"), entries);
    }

    private static Entry entry(JsonNode each) throws BundleException {
        String name = each.path("name").asText();
        long bytes = each.path("bytes").asLong(-1);
        String sum = each.path("sha256").asText();
        if (!BundleLimits.isName(name)) {
            throw new BundleException(BundleLimits.MANIFEST + ": '" + shortened(name) + "' is no entry's name");
        }
        if (bytes < 0 || bytes > BundleLimits.MOST_BYTES || !sum.matches("[0-9a-f]{64}")) {
            throw new BundleException(BundleLimits.MANIFEST + ": size or sum of " + name + " is none");
        }
        return new Entry(name, bytes, sum);
    }

    private static Instant created(JsonNode top) throws BundleException {
        try {
            return Instant.parse(top.path("created").asText());
        } catch (DateTimeException none) {
            throw new BundleException(BundleLimits.MANIFEST + ": created is no time", none);
        }
    }

    private static String text(JsonNode top, String name) {
        return shortened(top.path(name).asText());
    }

    /** What others wrote, for one line of ours. */
    static String shortened(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 100 ? line : line.substring(0, 100) + "…";
    }
}
