package dev.understudy.agent.fork;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the agent tells, where nobody takes it. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class ExportIT {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /** Each makes nine hundred samples if the budget allows, so that they are more than the queue holds. */
    private static final int REQUESTS = 100;

    @Test
    void aSidecarThatAcceptsAndNeverAnswers_blocksNobody() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,budget=1")) {
            sidecar.spansOf(trace -> jvm.get("/40", TRACEPARENT.replaceFirst("0af[^-]*", trace)), "SmallServer.price");

            Pattern dropped = Pattern.compile("\"state\":\"armed\".*\"droppedSpans\":[1-9]");
            Patience.until(report -> dropped.matcher(report).find(), () -> {
                sidecar.takeNothing();
                for (int n = 0; n < REQUESTS; n++) {
                    assertThat(jvm.get("/900", TRACEPARENT)).startsWith("price ");
                }
                sidecar.takeAll();
                sidecar.report(); // may have been written before
                return sidecar.report();
            });
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }
}
