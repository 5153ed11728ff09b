package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The JIT copies into woven methods what every call does, and nothing else. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class InliningIT {
    private static final String CODE = LockedCode.class.getName();

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void rareWays_areNotCopiedIntoWovenMethods(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=debug=true,packages=" + CODE + ",sidecar=" + sidecar.url(),
                        List.of(
                                ForkedJvm.BOTH_COMPILERS,
                                ForkedJvm.APART,
                                "-XX:+UnlockDiagnosticVMOptions",
                                "-XX:+PrintInlining",
                                "-Xbatch"),
                        List.of(CODE))) {
            List<String> told = jvm.stderr()
                    .lines()
                    .filter(line -> line.contains("Probes::"))
                    .collect(Collectors.toList());

            assertThat(told).anyMatch(line -> line.matches(".*Probes::seen .*inline.*"));
            for (String rare : List.of("due", "observed", "end")) {
                assertThat(told)
                        .filteredOn(line -> line.contains("Probes::" + rare + " "))
                        .isNotEmpty()
                        .allMatch(line -> !line.matches(".*inline \\(hot\\).*") && !line.contains("succeed"))
                        .anyMatch(line -> line.contains("by annotation"));
            }
        }
    }
}
