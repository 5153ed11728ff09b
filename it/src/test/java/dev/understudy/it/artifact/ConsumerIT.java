package dev.understudy.it.artifact;

import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A project that knows our coordinates alone, built by a Maven whose local repository is empty at first. Our artifacts
 * are in one repository, as this build has made them; other people's in another, which is what this build has fetched.
 */
@Tag("any-jdk")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsumerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** The file of each artifact, and of the one that is a POM alone, its folder. */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "bom",
            "bom/target/published.pom",
            "agent",
            "agent/target/understudy-agent.jar",
            "divergence",
            "divergence/target/divergence-" + OwnRepository.VERSION + ".jar",
            "testing",
            "testing/target/testing-" + OwnRepository.VERSION + ".jar");

    @TempDir
    static Path folder;

    private OwnRepository repository;
    private Path project;

    @BeforeAll
    void publish() throws IOException {
        repository = OwnRepository.publish(folder, ARTIFACTS);
        project = folder.resolve("project");
        copy(Checkout.root().resolve("examples/testing"), project);
    }

    @Test
    void suite_ofAProjectOfItsOwn_passesWithItsPatch_andFailsReadablyWithADefect() throws Exception {
        String passed = maven(0, "test", "-Dprices.debug=patched");

        assertThat(passed).contains("Tests run: 1, Failures: 0");
        assertThat(jarsOfOurs()).doesNotContain("understudy-sidecar", "understudy-aggregator");

        String failed = maven(1, "-o", "surefire:test", "-Dprices.debug=broken");

        assertThat(failed)
                .contains("debug doesn't do what production does")
                .contains("DIFFERENT  GET /prices/7")
                .containsSubsequence("body.total", "production: 119", "debug:      120");
        assertThat(project.resolve("target/understudy/com.example.prices.PriceServiceTest/report.json"))
                .exists();
    }

    @Test
    void agent_isTakenFromTheRepository() throws Exception {
        Path jar = repository.jar("understudy-agent");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        try (Child child = Child.start(
                folder.resolve("agent.log"), List.of(java, "-javaagent:" + jar + "=debug=true", "-version"))) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isZero();
        }
    }

    private String maven(int code, String... words) throws Exception {
        return repository.maven(project, code, words);
    }

    private List<String> jarsOfOurs() throws IOException {
        try (Stream<Path> files = Files.list(repository.local().resolve("dev/understudy"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** Without what a build there has left. */
    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (folder.endsWith("target")) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
