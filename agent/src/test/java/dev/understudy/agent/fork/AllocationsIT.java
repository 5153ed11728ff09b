package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the agent tells of allocations, from a JVM of its own. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class AllocationsIT {
    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatARequestMakes_isToldWithItsStack_unlessNobodyAsked(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                FakeSidecar unasked = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, ",allocations=150");
                ForkedJvm quiet = start(java, unasked, "")) {
            sidecar.reportWith("\"state\":\"armed\"");
            unasked.reportWith("\"state\":\"armed\"");
            String told = "";
            while (!told.contains("SmallServer.allocated\"")) {
                assertThat(jvm.get("/allocate", "")).isEqualTo("allocated");
                assertThat(quiet.get("/allocate", "")).isEqualTo("allocated");
                told = sidecar.allocations();
            }
            assertThat(told)
                    .contains("\"perSecond\":150,", "\"byte[]\"", "{\"bytes\":")
                    .doesNotContain("understudy.agent.export", "0x");
            assertThat(unasked.noAllocations()).isTrue();
            assertThat(jvm.stderr())
                    .contains("debug agent on")
                    .doesNotContain("aren't sampled", "thread allocations ended");
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String arguments) throws IOException {
        return ForkedJvm.start(
                java,
                "=debug=true,budget=1,service=small-debug,sidecar=" + sidecar.url() + arguments,
                List.of("-Dvirtual=false"),
                List.of(SmallServer.class.getName()));
    }
}
