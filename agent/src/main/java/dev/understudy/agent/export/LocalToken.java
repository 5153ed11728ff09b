package dev.understudy.agent.export;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The token that a sidecar of the same user on this machine has generated for agents.
 *
 * <p>It is in {@code $UNDERSTUDY_RUN}, else in {@code ~/.understudy}, by the port's number. A sidecar that begins anew
 * makes a new one, so it is read for each request.
 */
final class LocalToken {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int LONGEST = 512;

    private LocalToken() {}

    /** The token for the port at {@code sidecar}; {@code ""} if there is none, or that port isn't on loopback. */
    static String read(URI sidecar) {
        if (sidecar.getHost() == null || !LOOPBACK.contains(sidecar.getHost()) || sidecar.getPort() < 0) {
            return "";
        }
        Path file = directory().resolve("control-" + sidecar.getPort() + ".agent.token");
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.US_ASCII).strip();
        } catch (IOException none) {
            return "";
        }
    }

    private static Path directory() {
        String chosen = System.getenv("UNDERSTUDY_RUN");
        return chosen != null && !chosen.isEmpty()
                ? Path.of(chosen)
                : Path.of(System.getProperty("user.home", ""), ".understudy");
    }
}
