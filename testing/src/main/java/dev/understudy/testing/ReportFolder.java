package dev.understudy.testing;

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
}
