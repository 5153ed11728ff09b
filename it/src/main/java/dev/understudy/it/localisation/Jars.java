package dev.understudy.it.localisation;

import dev.understudy.it.bench.process.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Gets a version of what has the bug from Maven's repositories, once, and compiles the server that stands beside the
 * bug, if one does.
 */
final class Jars {
    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:copy-dependencies";

    private Jars() {}

    /** The class path of the server with the bug; what is downloaded stays in {@code target}. */
    static String buggy(Bug bug, Path target) throws IOException, InterruptedException {
        return classPath(bug, bug.buggy(), target.resolve(bug.id()));
    }

    /** The class path of the server without it. */
    static String fixed(Bug bug, Path target) throws IOException, InterruptedException {
        return classPath(bug, bug.fixed(), target.resolve(bug.id() + "-fixed"));
    }

    private static String classPath(Bug bug, List<String> artifacts, Path home)
            throws IOException, InterruptedException {
        Files.createDirectories(home);
        Path pom = home.resolve("pom.xml");
        Path libraries = home.resolve("lib");
        String wanted = pom(bug, artifacts);
        if (!Files.isDirectory(libraries)
                || !Files.exists(pom)
                || !Files.readString(pom).equals(wanted)) {
            Files.writeString(home.resolve("wanted.xml"), wanted);
            Shell.run(List.of(
                    "mvn",
                    "-B",
                    "-ntp",
                    "-q",
                    "-f",
                    home.resolve("wanted.xml").toString(),
                    PLUGIN,
                    "-DincludeScope=runtime",
                    "-DoutputDirectory=" + libraries));
            Files.move(home.resolve("wanted.xml"), pom, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> path = new ArrayList<>();
        try (Stream<Path> jars = Files.list(libraries)) {
            jars.sorted().map(Path::toString).forEach(path::add);
        }
        Path source = bug.folder().resolve("Server.java");
        if (Files.exists(source)) {
            Path classes = Files.createDirectories(home.resolve("classes"));
            Shell.run(List.of(
                    "javac",
                    "-proc:none",
                    "-nowarn",
                    "-d",
                    classes.toString(),
                    "-cp",
                    String.join(File.pathSeparator, path),
                    source.toString()));
            path.add(0, classes.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    private static String pom(Bug bug, List<String> artifacts) {
        StringBuilder dependencies = new StringBuilder();
        for (String artifact : artifacts) {
            String[] parts = artifact.split(":", -1);
            dependencies.append("""
                        <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>
                    """.formatted(parts[0], parts[1], parts[2]));
        }
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                    <modelVersion>4.0.0</modelVersion>
                    <groupId>dev.understudy.bugs</groupId>
                    <artifactId>%s</artifactId>
                    <version>1</version>
                    <packaging>pom</packaging>
                    <dependencies>
                %s    </dependencies>
                </project>
                """.formatted(bug.id(), dependencies);
    }
}
