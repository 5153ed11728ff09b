package dev.understudy.session.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProgramFilesTest {
    @TempDir
    private Path root;

    @Test
    void programs_areFoundInACheckout_andInADistribution() throws IOException {
        List<String> checkout = List.of(
                "sidecar/target/sidecar-1.jar",
                "aggregator/target/aggregator-1.jar",
                "agent/target/understudy-agent.jar");
        List<String> distribution = List.of("lib/sidecar-1.jar", "lib/aggregator-1.jar", "lib/understudy-agent.jar");
        for (List<String> files : List.of(checkout, distribution)) {
            for (String file : files) {
                Files.createDirectories(root.resolve(file).getParent());
                Files.createFile(root.resolve(file));
            }
            ProgramFiles found = ProgramFiles.in(root);

            assertThat(List.of(found.sidecar(), found.aggregator(), found.agent()))
                    .containsExactlyElementsOf(files.stream()
                            .map(file -> root.toAbsolutePath().resolve(file).normalize())
                            .toList());
        }
    }

    @Test
    void missingProgram_isNamed_withTheWayOut() {
        assertThatThrownBy(() -> ProgramFiles.in(root)).hasMessageContaining("sidecar-*.jar", "mvn package");
    }

    @Test
    void archiveOfClasses_isUsed_onceItIsThere_andOfThisJar() throws IOException {
        Path jar = Files.createFile(root.resolve("sidecar-1.jar"));
        assertThat(ProgramFiles.sharing(jar)).isEmpty();

        Path archive = Files.createFile(
                root.resolve("sidecar-1-java" + Runtime.version().feature() + ".jsa"));
        Files.setLastModifiedTime(archive, FileTime.fromMillis(2_000));
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000));
        assertThat(ProgramFiles.sharing(jar)).contains("-XX:SharedArchiveFile=" + archive);

        Files.setLastModifiedTime(jar, FileTime.fromMillis(3_000));
        assertThat(ProgramFiles.sharing(jar)).isEmpty();
    }
}
