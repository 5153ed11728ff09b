package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Settings that change while the JVM runs. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class SettingsIT {
    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatIsOrdered_holdsAtOnce_andWhatItWasStartedWithAgainLater(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, "debug=true,stacks=0")) {
            sidecar.reportWith("\"budgetMax\":0.2,");
            sidecar.order("{\"settings\":{\"budget\":\"0.05\",\"leaks\":\"1s\",\"quota\":\"off\",\"stacks\":1000,"
                    + "\"cache\":\"/tmp\",\"sampling\":\"often\"}}");
            assertThat(sidecar.reportOfFollower())
                    .contains(
                            "\"budgetMax\":0.05,",
                            "\"perMethod\":\"off\"",
                            "settings: cache: can't be changed while the JVM runs",
                            "settings: sampling: often (expected: adaptive, or a part such as 1/100)",
                            "\"leaks\":{\"value\":\"1s\",\"origin\":\"order\",\"changeable\":true}");
            sidecar.reportWith("\"leaks\":{\"counts\":1,");
            for (int i = 0; i < 120 && sidecar.noStacks(); i++) {
                jvm.get("/900", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
                jvm.get("/wait", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
            }
            assertThat(sidecar.stacks()).isNotEmpty();

            sidecar.order("{\"settings\":{\"sampling\":\"1/1\"}}");
            assertThat(sidecar.reportOfFollower())
                    .contains("fixed sampling, 1/1", "\"budget\":0.2,", "\"problems\":[]");
            sidecar.order("{}");
            sidecar.reportOfFollower();
            sidecar.utilisation(0.9);
            assertThat(sidecar.reportWith("\"state\":\"closed\"")).contains("nearly full", "\"budgetMax\":0.2,");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }
}
