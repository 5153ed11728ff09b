package dev.understudy.mcp.tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One tool.
 *
 * @param name as clients call it
 * @param description when to use it, and what it answers
 */
public record ToolDefinition(
        String name, String description, ToolEffect effect, List<ToolParameter> parameters, ToolAction action) {
    public ToolDefinition {
        parameters = List.copyOf(parameters);
    }

    /** The JSON Schema of its arguments. */
    public Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        parameters.forEach(parameter -> properties.put(parameter.name(), parameter.schema()));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put(
                "required",
                parameters.stream()
                        .filter(ToolParameter::required)
                        .map(ToolParameter::name)
                        .toList());
        schema.put("additionalProperties", false);
        return schema;
    }
}
