package dev.understudy.session.program;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the programs are that a session starts.
 *
 * @param java the program that runs them
 * @param sidecar its jar, with its libraries in {@code lib} beside it
 * @param aggregator its jar, likewise
 * @param agent the agent's jar
 */
public record ProgramFiles(Path java, Path sidecar, Path aggregator, Path agent) {
    /**
     * Finds them in a checkout that has been built, or in an unpacked distribution.
     *
     * @throws IOException if one is missing; the message names it and the way out
     */
    public static ProgramFiles in(Path root) throws IOException {
        Path lib = root.resolve("lib");
        boolean unpacked = Files.exists(lib.resolve("understudy-agent.jar"));
        return new ProgramFiles(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                jar(unpacked ? lib : root.resolve("sidecar/target"), "sidecar-*.jar"),
                jar(unpacked ? lib : root.resolve("aggregator/target"), "aggregator-*.jar"),
                jar(unpacked ? lib : root.resolve("agent/target"), "understudy-agent.jar"));
    }

    private static Path jar(Path folder, String pattern) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, pattern)) {
                for (Path jar : jars) {
                    String name = jar.getFileName().toString();
                    if (!name.endsWith("-sources.jar")
                            && !name.endsWith("-javadoc.jar")
                            && !name.endsWith("-tests.jar")) {
                        return jar.toRealPath();
                    }
                }
            }
        }
        throw new IOException(folder.resolve(pattern) + ": no such file (expected: what mvn package builds, or --root"
                + " with the checkout that has it)");
    }
}
