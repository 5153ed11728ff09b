package dev.understudy.it.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The routes of a control port, as its OpenAPI document describes them, one table for each tag. */
final class RouteTables {
    private RouteTables() {}

    /** The generated parts {@code routes sidecar} and {@code routes aggregator}. */
    static Map<String, Part> parts() {
        return Map.of(
                "routes sidecar", before -> lines("/dev/understudy/sidecar/control/openapi.yaml"),
                "routes aggregator", before -> lines("/dev/understudy/aggregator/openapi.yaml"));
    }

    private static List<String> lines(String resource) throws IOException {
        Map<?, ?> document = read(resource);
        Map<String, Table> tables = new LinkedHashMap<>();
        Map<String, String> described = new LinkedHashMap<>();
        for (Object tag : (List<?>) at(document, "tags")) {
            String name = text(((Map<?, ?>) tag).get("name"));
            described.put(name, text(((Map<?, ?>) tag).get("description")));
            tables.put(name, new Table("request", "what it does"));
        }
        ((Map<?, ?>) at(document, "paths"))
                .forEach((path, methods) -> ((Map<?, ?>) methods)
                        .forEach((method, operation) -> add(tables, text(method), text(path), operation)));
        List<String> lines = new ArrayList<>();
        tables.forEach((tag, table) -> {
            lines.addAll(List.of("", "## " + tag, ""));
            String about = described.getOrDefault(tag, "");
            if (!about.isEmpty()) {
                lines.addAll(List.of(Table.cell(about), ""));
            }
            lines.addAll(table.lines(List.of()));
        });
        lines.add("");
        return lines;
    }

    private static void add(Map<String, Table> tables, String method, String path, Object operation) {
        if (operation instanceof Map<?, ?> described && described.get("tags") instanceof List<?> tags) {
            tables.computeIfAbsent(text(tags.get(0)), added -> new Table("request", "what it does"))
                    .add(
                            "`" + method.toUpperCase(Locale.ROOT) + " " + path + "`",
                            Table.cell(text(described.get("summary"))));
        }
    }

    private static Map<?, ?> read(String resource) throws IOException {
        try (InputStream file = RouteTables.class.getResourceAsStream(resource)) {
            String yaml = new String(Objects.requireNonNull(file, resource).readAllBytes(), StandardCharsets.UTF_8);
            return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
        }
    }

    private static Object at(Map<?, ?> document, String key) {
        return Objects.requireNonNull(document.get(key), key);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
