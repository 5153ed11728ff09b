package dev.understudy.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document of a control port, to be held against what is answered there. */
public final class OpenApi {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    public final JsonNode document;

    public OpenApi(JsonNode document) {
        this.document = document;
    }

    /** The methods of each path. */
    public Map<String, Set<String>> routes() {
        Map<String, Set<String>> routes = new TreeMap<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    routes.computeIfAbsent(path.getKey(), added -> new TreeSet<>())
                            .add(method.getKey().toUpperCase(Locale.ROOT));
                }
            }
        }
        return routes;
    }

    /** What a schema below {@code components/schemas} enumerates. */
    public Set<String> words(String schema) {
        Set<String> words = new TreeSet<>();
        document.at("/components/schemas/" + schema + "/enum").forEach(word -> words.add(word.asText()));
        return words;
    }

    public static Set<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Fails if {@code body} isn't as the schema at {@code pointer} says.
     *
     * @param what is named in the failure
     */
    public void assertFits(String pointer, String body, String what) throws IOException {
        ObjectNode schema = JSON.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$ref", "#" + pointer.replace("{", "%7B").replace("}", "%7D"));
        schema.set("components", document.get("components"));
        schema.set("paths", document.get("paths"));
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(schema)
                        .validate(JSON.readTree(body)))
                .as(what + ": " + body)
                .isEmpty();
    }
}
