package dev.understudy.agent.fork;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * The JVMs that aren't installed as JDKs, which {@code .ci/prepare} fetches to {@code UNDERSTUDY_JRES}.
 *
 * <p>{@code -Dunderstudy.jres=required} makes a missing one an error, {@code auto} (the default) skips the test and
 * says so in one line.
 */
public final class NeedsJre {
    private NeedsJre() {}

    /** The command that starts the JVM of that version. */
    public static Path java(String version) {
        Path java = Path.of(System.getenv().getOrDefault("UNDERSTUDY_JRES", "/nowhere"), version, "bin", "java");
        if (Files.isExecutable(java)) {
            return java;
        }
        String missing = java + " isn't there: .ci/prepare fetches it";
        if (System.getProperty("understudy.jres", "auto").equals("required")) {
            throw new IllegalStateException(missing + ", and understudy.jres=required");
        }
        System.out.println("SKIPPED on Java " + version + ": " + missing);
        return Assumptions.abort(missing);
    }
}
