package dev.understudy.agent.fork;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Woven classes that another start finds. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class CacheIT {
    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.AgentIT#javas")
    void wovenClasses_areKeptForTheNextStart(Path java, @TempDir Path folder) throws Exception {
        Path kept = folder.resolve("cache").resolve("woven");
        String arguments = "debug=true,cache=" + kept.getParent();
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, arguments)) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            Patience.until(report -> Files.exists(kept), sidecar::report);
        }
        FileTime written = Files.getLastModifiedTime(kept);
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, arguments)) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.reportWith("#discount\",\"hits\":40,");
            for (int reports = 0; reports < 4; reports++) {
                sidecar.reportWith("\"failedClasses\":0");
            }
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
        assertThat(Files.getLastModifiedTime(kept)).as("nothing was woven anew").isEqualTo(written);
    }

    @Test
    void classesWovenAhead_areTakenAsTheyAre(@TempDir Path folder) throws Exception {
        Path kept = folder.resolve("cache").resolve("woven");
        Process weave = new ProcessBuilder(
                        ForkedJvm.java().toString(),
                        "-jar",
                        ForkedJvm.agentJar().toString(),
                        "weave",
                        "--cache=" + kept.getParent(),
                        Path.of(CacheIT.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(weave.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(weave.waitFor()).as(said).isZero();
        FileTime written = Files.getLastModifiedTime(kept);
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,cache=" + kept.getParent())) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.reportWith("#discount\",\"hits\":40,");
            for (int reports = 0; reports < 4; reports++) {
                sidecar.reportWith("\"failedClasses\":0");
            }
        }
        assertThat(Files.getLastModifiedTime(kept)).as("nothing was woven anew").isEqualTo(written);
    }
}
