package dev.understudy.aggregator.http.stub;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One object of a document, asked key by key; what is wrong is a problem with its path, and reading goes on.
 *
 * @param path file and path up to here, ending where a key is appended
 */
record StubPlace(StubProblems problems, String path, JsonNode node) {
    private static final ObjectMapper JSON = new ObjectMapper();

    StubPlace {
        if (!node.isObject() && !node.isMissingNode() && !node.isNull()) {
            problems.add(path.replaceAll("\\.$", ""), "(expected: an object)");
        }
    }

    boolean has(String key) {
        return node.hasNonNull(key);
    }

    /** Whatever isn't among these is a problem: it is never left out in silence. */
    @SafeVarargs
    final void only(Set<String>... known) {
        for (Map.Entry<String, JsonNode> entry : entries()) {
            boolean isKnown = false;
            for (Set<String> some : known) {
                isKnown |= some.contains(entry.getKey());
            }
            if (!isKnown) {
                problem(entry.getKey(), "isn't supported");
            }
        }
    }

    Set<Map.Entry<String, JsonNode>> entries() {
        return node.isObject() ? node.properties() : Set.of();
    }

    StubPlace inner(String key) {
        return new StubPlace(problems, path + key + ".", has(key) ? node.get(key) : MissingNode.getInstance());
    }

    List<JsonNode> list(String key) {
        List<JsonNode> items = new ArrayList<>();
        if (has(key)) {
            if (node.get(key).isArray()) {
                node.get(key).forEach(items::add);
            } else {
                problem(key, "(expected: a list)");
            }
        }
        return items;
    }

    List<StubPlace> items(String key) {
        List<StubPlace> items = new ArrayList<>();
        for (JsonNode item : list(key)) {
            items.add(new StubPlace(problems, path + key + "[" + items.size() + "].", item));
        }
        return items;
    }

    JsonNode raw(String key) {
        return node.path(key);
    }

    /** A document, as such or as a text. */
    JsonNode document(String key) {
        JsonNode value = node.path(key);
        if (!value.isTextual()) {
            return value;
        }
        try {
            return JSON.readTree(value.asText());
        } catch (JsonProcessingException wrong) {
            problem(key, "(expected: a JSON document)");
            return value;
        }
    }

    String text(String key, String otherwise) {
        JsonNode value = node.path(key);
        if (has(key) && !value.isTextual()) {
            problem(key, "(expected: a text)");
        }
        return has(key) ? value.asText() : otherwise;
    }

    boolean flag(String key) {
        if (has(key) && !node.get(key).isBoolean()) {
            problem(key, "(expected: true or false)");
        }
        return node.path(key).asBoolean();
    }

    int number(String key, int otherwise, int least, int most) {
        if (!has(key)) {
            return otherwise;
        }
        JsonNode value = node.get(key);
        if (!value.isInt() || value.asInt() < least || value.asInt() > most) {
            problem(key, value + " (expected: " + least + " to " + most + ")");
            return otherwise;
        }
        return value.asInt();
    }

    byte[] base64(String key) {
        try {
            return Base64.getDecoder().decode(text(key, ""));
        } catch (IllegalArgumentException wrong) {
            problem(key, "(expected: base64)");
            return new byte[0];
        }
    }

    void problem(String key, String message) {
        problems.add(at(key), message);
    }

    /** Where a key stands. */
    String at(String key) {
        return path + key;
    }
}
