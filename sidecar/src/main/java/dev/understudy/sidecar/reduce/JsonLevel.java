package dev.understudy.sidecar.reduce;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes a JSON body apart at one depth: members of objects and elements of arrays, whatever they hold (hierarchical
 * delta debugging: what is cut high up isn't looked at further down).
 *
 * @param depth from 0 on
 */
record JsonLevel(int depth) implements Dimension {
    /** Deeper ones are left as they are. */
    static final int DEEPEST = 12;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** All levels. */
    static List<Dimension> all() {
        return IntStream.range(0, DEEPEST).<Dimension>mapToObj(JsonLevel::new).toList();
    }

    /** Whether a call has a body of JSON, by its first byte and its syntax. */
    static boolean isJson(HttpCall call) {
        return read(call) != null;
    }

    @Override
    public String name() {
        return "JSON values";
    }

    @Override
    public int count(HttpInput input) {
        return places(read(input.last())).size();
    }

    @Override
    public HttpInput keep(HttpInput input, BitSet kept) {
        JsonNode tree = read(input.last());
        List<JsonPointer> places = places(tree);
        if (tree == null || places.isEmpty()) {
            return input;
        }
        Set<JsonPointer> without = new HashSet<>();
        for (int n = 0; n < places.size(); n++) {
            if (!kept.get(n)) {
                without.add(places.get(n));
            }
        }
        return write(input, without(tree, JsonPointer.empty(), without));
    }

    @Override
    public boolean isLeaf(HttpInput input, int part) {
        JsonNode tree = read(input.last());
        return tree == null || tree.at(places(tree).get(part)).isEmpty();
    }

    @Override
    public InputPart describe(HttpInput input, int part) {
        JsonNode tree = read(input.last());
        JsonPointer place = places(tree).get(part);
        return new InputPart(
                InputPart.Kind.JSON,
                place.toString(),
                tree == null ? "" : tree.at(place).toString());
    }

    /** A call's body as a tree; null if it isn't an object or array of JSON. */
    static @Nullable JsonNode read(HttpCall call) {
        byte[] body = call.body();
        int first = 0;
        while (first < body.length && Character.isWhitespace(body[first])) {
            first++;
        }
        if (first == body.length || (body[first] != '{' && body[first] != '[')) {
            return null;
        }
        try {
            return JSON.readTree(body);
        } catch (IOException noJson) {
            return null;
        }
    }

    static HttpInput write(HttpInput input, JsonNode tree) {
        try {
            return input.with(input.last().withBody(JSON.writeValueAsBytes(tree)));
        } catch (JacksonException impossible) {
            return input;
        }
    }

    private List<JsonPointer> places(@Nullable JsonNode tree) {
        List<JsonPointer> places = new ArrayList<>();
        if (tree != null) {
            collect(tree, JsonPointer.empty(), 0, places);
        }
        return places;
    }

    private void collect(JsonNode node, JsonPointer at, int level, List<JsonPointer> places) {
        for (JsonPointer child : children(node, at)) {
            if (level == depth) {
                places.add(child);
            } else {
                collect(child(node, child), child, level + 1, places);
            }
        }
    }

    private static List<JsonPointer> children(JsonNode node, JsonPointer at) {
        List<JsonPointer> children = new ArrayList<>();
        if (node.isObject()) {
            node.fieldNames().forEachRemaining(name -> children.add(at.appendProperty(name)));
        } else {
            for (int n = 0; n < node.size(); n++) {
                children.add(at.appendIndex(n));
            }
        }
        return children;
    }

    private static JsonNode child(JsonNode node, JsonPointer at) {
        JsonPointer last = at.last();
        return node.isObject() ? node.path(last.getMatchingProperty()) : node.path(last.getMatchingIndex());
    }

    private static JsonNode without(JsonNode node, JsonPointer at, Set<JsonPointer> cut) {
        if (!node.isContainerNode()) {
            return node;
        }
        ObjectNode object = JSON.createObjectNode();
        ArrayNode array = JSON.createArrayNode();
        for (JsonPointer child : children(node, at)) {
            if (!cut.contains(child)) {
                JsonNode value = without(child(node, child), child, cut);
                if (node.isObject()) {
                    object.set(child.last().getMatchingProperty(), value);
                } else {
                    array.add(value);
                }
            }
        }
        return node.isObject() ? object : array;
    }
}
