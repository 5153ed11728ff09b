package dev.understudy.session.program;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
        return new ProgramFiles(
                ownJava(),
                jar(folder(root, "sidecar"), "sidecar-*.jar"),
                aggregator(root),
                jar(folder(root, "agent"), "understudy-agent.jar"));
    }

    /**
     * Finds the aggregator's jar alone, likewise.
     *
     * @throws IOException if it is missing
     */
    public static Path aggregator(Path root) throws IOException {
        return jar(folder(root, "aggregator"), "aggregator-*.jar");
    }

    /** The program that runs this process. */
    public static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static Path folder(Path root, String module) {
        Path lib = root.resolve("lib");
        return Files.isDirectory(lib) ? lib : root.resolve(module).resolve("target");
    }

    /**
     * The JVM's options for a program that finds its classes in the archive beside {@code jar}, which saves it half of
     * its start. There is one once the launcher has run that program by itself.
     */
    public static List<String> sharing(Path jar) throws IOException {
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        Path archive = jar.resolveSibling(name + "-java" + Runtime.version().feature() + ".jsa");
        boolean fits = Files.exists(archive)
                && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) > 0;
        return fits ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off") : List.of();
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
