package dev.understudy.aggregator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Programs that tests run. */
final class Programs {
    private Programs() {}

    /** Skips the test where this one isn't installed, or fails it under {@code understudy.programs=required}. */
    static void need(String name) {
        boolean there = Stream.of(System.getenv("PATH").split(":"), new String[] {"/usr/sbin"})
                .flatMap(Stream::of)
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        if (!there && System.getProperty("understudy.programs", "auto").equals("required")) {
            throw new IllegalStateException(name + ": not installed, and understudy.programs=required");
        }
        assumeTrue(there, name + ": not installed");
    }
}
