package dev.understudy.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a tool answers: a JSON object, which is shortened until it fits, and the call that helps next. Confined to one
 * thread.
 */
public final class ToolAnswer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectNode document = JSON.createObjectNode();
    private String next = "";

    /** Adds a value. */
    public ToolAnswer with(String name, Object value) {
        document.set(name, value instanceof JsonNode node ? node : JSON.<JsonNode>valueToTree(value));
        return this;
    }

    /** Copies members of {@code from}, those that it has. */
    public ToolAnswer with(JsonNode from, String... names) {
        document.setAll(chosen(from, names));
        return this;
    }

    /** Adds a list. */
    public ArrayNode list(String name) {
        return document.putArray(name);
    }

    /** Adds an object. */
    public ObjectNode object(String name) {
        return document.putObject(name);
    }

    /** Says which call helps next. */
    public ToolAnswer next(String call) {
        next = call;
        return this;
    }

    /** The members of {@code from} that have those names. */
    public static ObjectNode chosen(JsonNode from, String... names) {
        ObjectNode chosen = JSON.createObjectNode();
        for (String name : names) {
            if (from.hasNonNull(name)) {
                chosen.set(name, from.get(name));
            }
        }
        return chosen;
    }

    /** The answer's text, of at most {@link AnswerLimits#CHARACTERS}. */
    public String text() {
        ObjectNode whole = document.deepCopy();
        if (!next.isEmpty()) {
            whole.put("next", next);
        }
        return AnswerLimits.text(whole);
    }
}
