package dev.understudy.testing;

import dev.understudy.testing.client.UnderstudyClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where reports are kept: below Maven's {@code target}, or Gradle's {@code build}. */
public final class ReportFolder {
    private ReportFolder() {}

    /** {@code target/understudy}, or {@code build/understudy} where Gradle builds. */
    public static Path root() {
        boolean gradle = !Files.exists(Path.of("pom.xml")) && Files.isDirectory(Path.of("build"));
        return Path.of(gradle ? "build" : "target", "understudy").toAbsolutePath();
    }

    /** A folder there that is nobody else's. */
    static Path fresh() {
        try {
            return Files.createTempDirectory(Files.createDirectories(root()), "environment-");
        } catch (IOException failed) {
            throw new UncheckedIOException(root() + ": can't be written: " + failed, failed);
        }
    }

    /** This folder, made if it isn't there. */
    static Path at(Path folder) {
        try {
            return Files.createDirectories(folder).toAbsolutePath();
        } catch (IOException failed) {
            throw new UncheckedIOException(folder + ": can't be written: " + failed, failed);
        }
    }

    /** Writes a file into a folder of an environment. */
    static Path write(Path folder, String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(folder + ": can't be written: " + failed, failed);
        }
    }

    /** Writes what the control ports know at the end; if they don't answer any more, that. */
    static void save(UnderstudyClient client, Path folder) {
        try {
            write(folder, "report.json", client.sidecar("/v1/report").toPrettyString());
            write(
                    folder,
                    "verdicts.json",
                    client.sidecar("/v1/verdicts?limit=10000").toPrettyString());
        } catch (UncheckedIOException ended) {
            // why it ended is in its log
            write(folder, "report.txt", "no report: " + ended.getMessage() + "\n");
        }
    }
}
