package dev.understudy.mcp.tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The arguments of one call, checked against the tool's parameters. Immutable. */
public final class ToolArguments {
    private final List<ToolParameter> parameters;
    private final Map<String, Object> values;

    private ToolArguments(List<ToolParameter> parameters, Map<String, Object> values) {
        this.parameters = parameters;
        this.values = values;
    }

    /**
     * Checks what a client gave.
     *
     * @param given null for nothing
     * @throws ToolInputException if one is unknown, missing or wrong
     */
    static ToolArguments of(List<ToolParameter> parameters, @Nullable Map<String, Object> given)
            throws ToolInputException {
        Map<String, Object> all = given == null ? Map.of() : given;
        for (String name : all.keySet()) {
            if (parameters.stream().noneMatch(each -> each.name().equals(name))) {
                throw new ToolInputException(
                        ToolParameterType.shown(name) + ": no such argument (expected: " + names(parameters) + ")");
            }
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (ToolParameter parameter : parameters) {
            Object value = all.get(parameter.name());
            if (value != null) {
                values.put(parameter.name(), parameter.check(value));
            } else if (parameter.required()) {
                throw new ToolInputException(parameter.name() + ": missing (" + parameter.description() + ")");
            }
        }
        return new ToolArguments(parameters, values);
    }

    /** A text; {@code ""} if it wasn't given. */
    public String text(String name) {
        return String.valueOf(values.getOrDefault(name, ""));
    }

    /** A number, or what stands for one that wasn't given. */
    public long number(String name) {
        Object value = values.get(name);
        return value instanceof Long number ? number : parameter(name).standard();
    }

    /** Whether a number or text was given. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether a flag is set. */
    public boolean isSet(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** Some texts; empty if none were given. */
    public List<String> texts(String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    private ToolParameter parameter(String name) {
        return parameters.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no parameter " + name));
    }

    private static String names(List<ToolParameter> parameters) {
        return parameters.isEmpty()
                ? "no arguments"
                : parameters.stream().map(ToolParameter::name).collect(Collectors.joining(", "));
    }
}
