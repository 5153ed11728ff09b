package dev.understudy.relay.control.access;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A generated token, in a file that only its user can read, where others of the same user find it by the port's number.
 *
 * <p>It is in {@code $UNDERSTUDY_RUN}, else in {@code ~/.understudy}. The agent finds it by the same rule, with a class
 * of its own.
 */
public final class TokenFile {
    private static final int LONGEST = 512;

    private final Path path;
    private final String secret;

    private TokenFile(Path path, String secret) {
        this.path = path;
        this.secret = secret;
    }

    /** Where the token for {@code role} at the port of that number is. */
    public static Path path(int port, Role role) {
        return directory().resolve("control-" + port + "." + role.word() + ".token");
    }

    /**
     * Writes one, in the place of an earlier one.
     *
     * @throws IOException if it can't be written; the message names the file
     */
    static TokenFile write(int port, AccessToken token) throws IOException {
        Path path = path(port, token.role());
        Files.createDirectories(path.getParent(), OwnerOnly.directory());
        OwnerOnly.replace(path, token.secret().getBytes(StandardCharsets.US_ASCII));
        return new TokenFile(path, token.secret());
    }

    /**
     * The token for {@code role} that the process behind {@code url} has generated, if it runs on this machine; else
     * {@code ""}.
     */
    public static String read(URI url, Role role) {
        String host = url.getHost();
        if (host == null || url.getPort() < 0 || !Browsers.isLoopback(host)) {
            return "";
        }
        try {
            return read(path(url.getPort(), role));
        } catch (IOException none) {
            return "";
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Removes it, unless another process has put its own there meanwhile. */
    void remove() throws IOException {
        try {
            if (read(path).equals(secret)) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException gone) {
            // removed by hand
        }
    }

    private static String read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.US_ASCII).strip();
        }
    }

    private static Path directory() {
        String chosen = System.getenv("UNDERSTUDY_RUN");
        return chosen != null && !chosen.isEmpty()
                ? Path.of(chosen)
                : Path.of(System.getProperty("user.home"), ".understudy");
    }
}
