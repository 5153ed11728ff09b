package dev.understudy.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an environment's sidecar.
 *
 * @param protocol what the service speaks
 * @param listen where clients find it
 * @param control where its control port is
 * @param noiseRules a file of tolerated differences, as the sidecar sees it; null for none
 */
record SidecarSettings(
        String protocol,
        String listen,
        String control,
        @Nullable Path noiseRules) {
    /**
     * As a file has them.
     *
     * @param production its {@code host:port}
     * @param debug its {@code host:port}
     * @param aggregator the aggregator's control port; null if there is none
     */
    String text(String production, String debug, @Nullable URI aggregator) {
        String rules = noiseRules == null ? "" : ", noise-rules: '" + quoted(noiseRules) + "'";
        return """
                listeners:
                  - { name: service, listen: "%s", production: "%s", debug: ["debug=%s"], protocol: %s }
                comparison: { learn-noise: false, keep-verdicts: 10000%s }
                control: { listen: "%s" }
                tap: { carrier: inline }
                drain: 100ms
                """.formatted(listen, production, debug, protocol, rules, control)
                + (aggregator == null ? "" : "aggregator: { url: \"" + aggregator + "\" }\n");
    }

    /**
     * Requires a file of noise rules.
     *
     * @throws UncheckedIOException if it can't be read
     */
    static Path readable(Path file) {
        if (!Files.isReadable(file)) {
            throw new UncheckedIOException(new IOException(file + ": no such file (expected: noise rules)"));
        }
        return file.toAbsolutePath();
    }

    private static String quoted(Path file) {
        return file.toString().replace("'", "''");
    }
}
