package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The agent on the oldest Java that it runs on, and on the first one with virtual threads. */
final class OtherJavasIT {
    private static final String SERVER = SmallServer.class.getName();
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void methodsAndSpansAreTold_andTheAgentCanBeAttached(String version, @TempDir Path folder) throws Exception {
        Path java = Path.of(System.getenv().getOrDefault("UNDERSTUDY_JRES", "/nowhere"), version, "bin", "java");
        assumeTrue(Files.isExecutable(java), () -> java + " isn't there: .ci/prepare fetches it");
        compile(folder);
        List<String> main = List.of("-cp", folder.toString(), SERVER);
        String settings = "debug=true,budget=1,service=small-debug,sidecar=";
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm =
                        ForkedJvm.start(java, "=" + settings + sidecar.url(), List.of("-Dvirtual=true"), main)) {
            sidecar.reportWith("\"state\":\"armed\"");
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(sidecar.span().service()).isEqualTo("small-debug");
            assertThat(sidecar.reportWith("#discount\",\"hits\":40,"))
                    .contains(
                            "\"jvm\":\"OpenJDK 64-Bit Server VM " + version, "\"exchanges\":1,", "\"failedClasses\":0");
            assertThat(jvm.stderr()).doesNotContain("Exception", "Error", "stays as it was");
        }
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(java, null, List.of(), main)) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            jvm.attach(settings + sidecar.url());
            sidecar.reportWith(TasksIT.ALL); // also by threads that were there before
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.reportWith("#discount\",\"hits\":40,");
        }
    }

    private static void compile(Path folder) throws IOException {
        Path source = Path.of("src/test/java").resolve(SERVER.replace('.', '/') + ".java");
        assertThat(source).exists();
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        assertThat(compiler.run(null, null, null, "-d", folder.toString(), "--release", "11", source.toString()))
                .isZero();
    }
}
