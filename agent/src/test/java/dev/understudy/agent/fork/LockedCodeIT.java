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

/** What tells of locks keeps no compiler from code that takes them. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class LockedCodeIT {
    private static final String CODE = LockedCode.class.getName();

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void methodsThatTakeLocks_areCompiledByBothCompilers(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=debug=true,packages=" + CODE + ",sidecar=" + sidecar.url(),
                        List.of(ForkedJvm.BOTH_COMPILERS, ForkedJvm.APART, "-XX:+PrintCompilation", "-Xbatch"),
                        List.of(CODE))) {
            List<String> compiled = jvm.stderr()
                    .lines()
                    .filter(line -> line.contains(CODE + "::"))
                    .collect(Collectors.toList());

            assertThat(compiled).noneMatch(line -> line.contains("SKIPPED"));
            for (String method : List.of("nested", "unlocked", "whole", "read", "stamped", "converted")) {
                assertThat(compiled)
                        .anyMatch(line -> line.matches(".*\\b[123] +" + CODE + "::" + method + " .*"))
                        .anyMatch(line -> line.matches(".*\\b4 +" + CODE + "::" + method + " .*"));
            }
        }
    }
}
