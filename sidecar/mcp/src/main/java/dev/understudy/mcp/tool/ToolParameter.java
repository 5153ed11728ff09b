package dev.understudy.mcp.tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of a tool: what its schema says of it, and how a value is checked.
 *
 * @param type of the value in JSON
 * @param required whether it must be given
 * @param least of a number, or 0
 * @param most of a number; characters of a text; elements of a list
 * @param choices the only texts that are allowed; empty for any
 * @param standard the value of a number that isn't given
 */
public record ToolParameter(
        String name,
        ToolParameterType type,
        String description,
        boolean required,
        long least,
        long most,
        List<String> choices,
        long standard) {
    /** Characters of one element of a list. */
    static final int LONGEST_ELEMENT = 300;

    public ToolParameter {
        choices = List.copyOf(choices);
    }

    /** A text without control characters. */
    public static ToolParameter text(String name, int most, String description) {
        return new ToolParameter(name, ToolParameterType.TEXT, description, false, 0, most, List.of(), 0);
    }

    /** One of some texts. */
    public static ToolParameter choice(String name, List<String> choices, String description) {
        return new ToolParameter(name, ToolParameterType.TEXT, description, false, 0, 100, choices, 0);
    }

    /** A whole number. */
    public static ToolParameter number(String name, long least, long most, long standard, String description) {
        return new ToolParameter(name, ToolParameterType.NUMBER, description, false, least, most, List.of(), standard);
    }

    /** True or false; false if it isn't given. */
    public static ToolParameter flag(String name, String description) {
        return new ToolParameter(name, ToolParameterType.FLAG, description, false, 0, 0, List.of(), 0);
    }

    /** Some texts. */
    public static ToolParameter texts(String name, int most, String description) {
        return new ToolParameter(name, ToolParameterType.TEXTS, description, false, 0, most, List.of(), 0);
    }

    /** The same, which must be given. */
    public ToolParameter asRequired() {
        return new ToolParameter(name, type, description, true, least, most, choices, standard);
    }

    /** Its part of the tool's JSON Schema. */
    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", type.word());
        schema.put("description", description);
        switch (type) {
            case TEXT -> {
                schema.put("maxLength", most);
                if (!choices.isEmpty()) {
                    schema.put("enum", choices);
                }
            }
            case NUMBER -> {
                schema.put("minimum", least);
                schema.put("maximum", most);
                if (!required) {
                    schema.put("default", standard);
                }
            }
            case TEXTS -> {
                schema.put("items", Map.of("type", "string", "minLength", 1, "maxLength", LONGEST_ELEMENT));
                schema.put("minItems", 1);
                schema.put("maxItems", most);
            }
            case FLAG -> schema.put("default", false);
        }
        return schema;
    }

    /** The value as this parameter has it. */
    Object check(@Nullable Object given) throws ToolInputException {
        Object value = type.read(this, given);
        if (value == null) {
            throw new ToolInputException(
                    name + ": " + ToolParameterType.shown(given) + " (expected: " + expected() + ")");
        }
        return value;
    }

    private String expected() {
        return switch (type) {
            case TEXT ->
                choices.isEmpty()
                        ? "a text of 1 to " + most + " characters, none of them a control character"
                        : "one of " + String.join(", ", choices);
            case NUMBER -> "a whole number from " + least + " to " + most;
            case FLAG -> "true or false";
            case TEXTS ->
                "a list of 1 to " + most + " texts, each of 1 to " + LONGEST_ELEMENT
                        + " characters without control characters";
        };
    }
}
