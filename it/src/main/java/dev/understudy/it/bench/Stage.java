package dev.understudy.it.bench;

import dev.understudy.it.bench.report.Measured;
import dev.understudy.it.bench.report.Page;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every study needs: the checkout, a folder of its own, and where its section goes. */
final class Stage {
    @Option(
            names = "--root",
            paramLabel = "FOLDER",
            defaultValue = "${sys:understudy.root:-.}",
            description = "The checkout (default: the current folder).")
    private Path root = Path.of("");

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Whose sections are replaced (default: standard output).")
    private @Nullable Path out;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec study = CommandSpec.create();

    /** The checkout. */
    Path root() {
        return root.toAbsolutePath();
    }

    /** The sidecar's jar, with its libraries beside it. */
    Path sidecar() throws IOException {
        return built("sidecar", "sidecar-");
    }

    /** The aggregator's jar, with its libraries beside it. */
    Path aggregator() throws IOException {
        return built("aggregator", "aggregator-");
    }

    /** The stand-ins' jar, with its libraries beside it. */
    Path standIn() throws IOException {
        return built("sidecar/standin", "standin-");
    }

    /** The agent's jar. */
    Path agent() {
        return root().resolve(Path.of("agent", "target", "understudy-agent.jar"));
    }

    /** The jar of the service with Spring Data JPA. */
    Path jpa() {
        return root().resolve(Path.of("it", "jpa", "target", "jpa.jar"));
    }

    private Path built(String module, String prefix) throws IOException {
        Path target = root().resolve(module).resolve("target");
        try (Stream<Path> files = Files.list(target)) {
            Optional<Path> jar = files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.startsWith(prefix)
                                && name.endsWith(".jar")
                                && !name.matches(".*-(sources|javadoc|tests)\\.jar");
                    })
                    .findFirst();
            return jar.orElseThrow(() -> new IOException("no " + prefix + "*.jar in " + target));
        }
    }

    /** A folder for one study's programs. */
    static Path folder() throws IOException {
        return Files.createTempDirectory("understudy-bench");
    }

    /** Deletes it with all that is in it. */
    static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder, new FileVisitOption[0])) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Keeps or prints a section, with how it was made at its head. */
    void put(String title, String body) throws IOException {
        String text = Measured.by(command()) + "\n\n" + body;
        if (out == null) {
            System.out.println("## " + title + "\n\n" + text);
        } else {
            Page.put(out, title, text);
        }
    }

    private String command() {
        List<String> given = study.commandLine().getParseResult().originalArgs();
        return given.contains(study.name()) ? String.join(" ", given) : study.name() + " " + String.join(" ", given);
    }

    /** Says how far the study is. */
    static void progress(String what) {
        System.err.println(what);
    }
}
