package dev.understudy.agent.fork;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that OpenTelemetry's agent knows and ours doesn't, with one agent before the other. */
final class TheirServersIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatItServes_isObservedAsTheSidecarsExchange(boolean oursFirst) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(sidecar, oursFirst)) {
            sidecar.reportWith("\"state\":\"armed\"");
            AtomicInteger number = new AtomicInteger(1000);
            sidecar.observe(
                    List.of("\"span\":\"00f067aa0ba9", "HandlerServer\\$Prices#answer\"", "SmallServer#price\""),
                    () -> {
                        int next = number.getAndIncrement();
                        String answer = jvm.get("/3", "00-" + TRACE + next + "-00f067aa0ba9" + next + "-01");
                        assertThat(answer).isEqualTo("price 13");
                        return answer;
                    });
            assertThat(jvm.stderr()).contains("debug agent on").doesNotContain("stays as it was", "Exception");
        }
    }

    private static ForkedJvm start(FakeSidecar sidecar, boolean oursFirst) throws Exception {
        String ours = "-javaagent:" + ForkedJvm.agentJar()
                + "=debug=true,budget=1,service=their-debug,packages=dev.understudy.agent.fork,sidecar="
                + sidecar.url();
        String theirs = "-javaagent:" + Objects.requireNonNull(System.getProperty("understudy.together"))
                + "/opentelemetry-javaagent.jar";
        List<String> options = List.of(
                "-Dotel.exporter.otlp.protocol=http/protobuf", // without one it makes no spans
                "-Dotel.exporter.otlp.endpoint=" + sidecar.url() + "/otlp",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                oursFirst ? ours : theirs,
                oursFirst ? theirs : ours);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return ForkedJvm.startWithEverything(java, null, options, List.of(HandlerServer.class.getName()));
    }
}
