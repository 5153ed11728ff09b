package dev.understudy.it.house;

import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
class SourcesTest {
    private static final List<String> MODULES = List.of(
            "relay",
            "divergence",
            "sidecar",
            "sidecar/session",
            "sidecar/mcp",
            "sidecar/observatory",
            "sidecar/standin",
            "sidecar/kubernetes",
            "aggregator",
            "agent",
            "testing");

    /** Each program has one; there is nothing to confuse. */
    private static final Set<String> EVERYWHERE = Set.of("Main", "package-info");

    private static final int LONGEST_LINE = 120;

    @Test
    void simpleNames_haveOneMeaning() throws IOException {
        Map<String, List<String>> places = new TreeMap<>();
        for (Path source : sources()) {
            String name = source.getFileName().toString().replace(".java", "");
            if (!EVERYWHERE.contains(name)) {
                places.computeIfAbsent(name, first -> new ArrayList<>()).add(source.toString());
            }
        }

        assertThat(places).hasSizeGreaterThan(1_000);
        assertThat(places).allSatisfy((name, files) -> assertThat(files).hasSize(1));
    }

    /** Drawings in a package's description may be wider. */
    @Test
    void lines_areNoLongerThanAScreenIsWide() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path source : Stream.concat(sources().stream(), modulesOfTheConsole().stream())
                .toList()) {
            List<String> lines = source.endsWith("package-info.java") ? List.of() : Files.readAllLines(source);
            for (int n = 0; n < lines.size(); n++) {
                if (lines.get(n).length() > LONGEST_LINE) {
                    tooLong.add(source + ":" + (n + 1));
                }
            }
        }

        assertThat(tooLong).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Checkout.root()
                    .resolve(module)
                    .resolve("src")
                    .resolve("main")
                    .resolve("java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static List<Path> modulesOfTheConsole() throws IOException {
        Path folder = Checkout.root().resolve("sidecar/src/main/resources/dev/understudy/sidecar/console");
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> modules =
                    files.filter(file -> file.toString().endsWith(".js")).toList();
            assertThat(modules).hasSizeGreaterThan(20);
            return modules;
        }
    }
}
