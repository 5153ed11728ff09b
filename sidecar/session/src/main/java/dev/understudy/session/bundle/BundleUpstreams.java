package dev.understudy.session.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The upstreams of a bundle: of an aggregator's settings what its recorded replies are found by, and nothing else.
 *
 * <p>Names, protocols, addresses and the rules of forms must be those of the recording. Certificates, tokens, stubs and
 * live reads stay behind.
 */
public final class BundleUpstreams {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> PROTOCOLS = Set.of("http", "mysql", "postgres", "redis", "tcp");
    private static final int MOST = 100;

    /** Of a service that calls nobody. */
    static final BundleUpstreams NONE = new BundleUpstreams(List.of());

    private final List<Settings> all;

    /**
     * One of them.
     *
     * @param addresses of the real server, as its settings have them; nobody dials them here
     * @param form what counts for its forms, as in an aggregator's settings
     * @param miss {@code fail} or {@code repeat-last}
     * @param mismatch {@code fail} or {@code by-count}; over TCP only, and "" otherwise
     */
    public record Settings(
            String name,
            String protocol,
            List<String> addresses,
            Map<String, Object> form,
            String miss,
            String mismatch) {
        public Settings {
            addresses = List.copyOf(addresses);
            form = Map.copyOf(form);
        }

        /** The folder of its journal. */
        String folder() {
            return URLEncoder.encode(name, StandardCharsets.UTF_8);
        }

        private Map<String, Object> document() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("name", name);
            document.put("protocol", protocol);
            document.put("production", Map.of("upstream", addresses));
            document.put("form", new TreeMap<>(form));
            document.put("miss", miss);
            document.put("mismatch", mismatch);
            return document;
        }
    }

    private BundleUpstreams(List<Settings> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Those of an aggregator's settings file. Variables and {@code --set} that stood above it aren't seen.
     *
     * @throws BundleException if it isn't such a file
     */
    static BundleUpstreams ofSettings(Path file) throws IOException {
        if (Files.size(file) > BundleLimits.MOST_TEXT) {
            throw new BundleException(file + ": " + Files.size(file) + " bytes (expected: an aggregator's settings)");
        }
        try {
            Object top = new Load(
                            LoadSettings.builder().setLabel(file.toString()).build())
                    .loadFromString(Files.readString(file));
            BundleUpstreams read = parse(file.toString(), JSON.valueToTree(top));
            if (read.all.isEmpty()) {
                throw new BundleException(file + ": no upstreams (expected: at least one, or no --journal)");
            }
            return read;
        } catch (YamlEngineException | IllegalArgumentException | StackOverflowError malformed) {
            throw new BundleException(
                    file + ": no settings of an aggregator: "
                            + BundleManifest.shortened(String.valueOf(malformed.getMessage())),
                    malformed);
        }
    }

    /** Those of a bundle. */
    static BundleUpstreams ofJson(byte[] json) throws BundleException {
        try {
            return parse(BundleLimits.UPSTREAMS, JSON.readTree(json));
        } catch (IOException malformed) {
            if (malformed instanceof BundleException known) {
                throw known;
            }
            throw new BundleException(BundleLimits.UPSTREAMS + ": no JSON", malformed);
        }
    }

    private static BundleUpstreams parse(String place, JsonNode top) throws BundleException {
        List<Settings> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        if (!top.path("upstreams").isArray()) {
            throw new BundleException(place + ": no upstreams (expected: a list, as in an aggregator's settings)");
        }
        for (JsonNode each : top.path("upstreams")) {
            Settings settings = settings(place + ": upstreams[" + all.size() + "]", each);
            if (!names.add(settings.name) || all.size() == MOST) {
                throw new BundleException(place + ": upstreams[" + all.size() + "] (expected: up to " + MOST
                        + ", with names of their own)");
            }
            all.add(settings);
        }
        return new BundleUpstreams(all);
    }

    private static Settings settings(String place, JsonNode each) throws BundleException {
        String name = each.path("name").asText();
        String protocol = each.path("protocol").asText();
        if (!BundleManifest.shortened(name).equals(name)
                || !BundleLimits.isJournal(
                        BundleLimits.JOURNAL + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/x")) {
            throw new BundleException(place + ": name (expected: one of 1 to 100 printable characters)");
        }
        if (!PROTOCOLS.contains(protocol)) {
            throw new BundleException(place + ": protocol (expected: one of "
                    + PROTOCOLS.stream().sorted().toList() + ")");
        }
        List<String> addresses = texts(each.path("production").path("upstream"));
        if (addresses.isEmpty()) {
            throw new BundleException(
                    place + ": production.upstream (expected: an address; transparent ones aren't kept)");
        }
        Map<String, Object> form = new LinkedHashMap<>();
        each.path("form").properties().forEach(field -> {
            JsonNode value = field.getValue();
            form.put(field.getKey(), value.isArray() ? texts(value) : scalar(value));
        });
        String miss = each.path("miss").asText("fail");
        boolean byCount =
                protocol.equals("tcp") && each.path("mismatch").asText().equals("by-count");
        return new Settings(
                name, protocol, addresses, form, miss.equals("repeat-last") ? miss : "fail", byCount ? "by-count" : "");
    }

    private static Object scalar(JsonNode value) {
        return value.isBoolean() ? (Object) value.asBoolean() : value.asText();
    }

    private static List<String> texts(JsonNode value) {
        List<String> texts = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(each -> texts.add(each.asText()));
        } else if (value.isValueNode() && !value.isNull()) {
            texts.add(value.asText());
        }
        return texts;
    }

    /** In the order of the settings. */
    public List<Settings> all() {
        return all;
    }

    byte[] json() throws JsonProcessingException {
        return JSON.writerWithDefaultPrettyPrinter()
                .writeValueAsBytes(
                        Map.of("upstreams", all.stream().map(Settings::document).toList()));
    }
}
