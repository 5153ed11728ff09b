package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the agent tells, where nobody takes it. */
final class ExportIT {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /** Each makes some forty samples, so that they are more than the queue holds. */
    private static final int REQUESTS = 400;

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    @Timeout(120)
    void aSidecarThatAcceptsAndNeverAnswers_blocksNobody(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, "debug=true,budget=1")) {
            sidecar.reportWith("\"state\":\"armed\"");
            jvm.get("/40", TRACEPARENT);
            sidecar.span();

            sidecar.takeNothing();
            for (int n = 0; n < REQUESTS; n++) {
                assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            }
            sidecar.takeAll();

            assertThat(sidecar.reportMatching(Pattern.compile("\"droppedSpans\":[1-9]")))
                    .contains("\"state\":\"armed\"");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }
}
