package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The OpenAPI document of a control port: written as YAML, a resource beside a class, and served as YAML and as JSON.
 */
public final class ApiDocument {
    private ApiDocument() {}

    /**
     * Adds {@code GET /v1/openapi.json} and {@code /v1/openapi.yaml}.
     *
     * @param beside {@code openapi.yaml} is looked for in this class's package
     * @throws IllegalStateException if it isn't there
     */
    public static Routes addTo(Routes routes, Class<?> beside) {
        byte[] yaml = read(beside);
        Object document =
                new Load(LoadSettings.builder().build()).loadFromString(new String(yaml, StandardCharsets.UTF_8));
        byte[] json = Reply.bytes(document);
        return routes.get(Access.ANY_ROLE, "/v1/openapi.yaml", call -> new Reply(200, "application/yaml", yaml))
                .get(Access.ANY_ROLE, "/v1/openapi.json", call -> new Reply(200, "application/json", json));
    }

    private static byte[] read(Class<?> beside) {
        try (InputStream resource = beside.getResourceAsStream("openapi.yaml")) {
            if (resource == null) {
                throw new IllegalStateException("no openapi.yaml beside " + beside.getName());
            }
            return resource.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
