package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Settings that change while the JVM runs. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class SettingsIT {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @Test
    void whatIsOrdered_holdsAtOnce_andWhatItWasStartedWithAgainLater() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,stacks=0")) {
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
            Patience.until(none -> !sidecar.noStacks(), () -> jvm.get("/wait", TRACEPARENT));

            sidecar.order("{\"settings\":{\"sampling\":\"1/1\"}}");
            assertThat(sidecar.reportOfFollower())
                    .contains("fixed sampling, 1/1", "\"budget\":0.2,", "\"problems\":[]");
            sidecar.order("{}");
            sidecar.reportOfFollower();
            sidecar.utilisation(0.9);
            sidecar.reportWith("\"state\":\"closed\"", "nearly full", "\"budgetMax\":0.2,");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    @Test
    void whatIsMeasuredOfCalls_canBeOrdered_andEndedAgain() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm =
                        AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,budget=1,quota=100/1s,measure=wall")) {
            assertThat(sidecar.reportWith("\"state\":\"armed\"")).contains("\"what\":[],", "\"oneIn\":0,");
            sidecar.order("{\"settings\":{\"measure\":\"alloc\"}}");
            assertThat(sidecar.reportOfFollower()).contains("\"what\":[\"alloc\"]", "\"problems\":[]");
            String report = Patience.until(told -> told.contains("\"allocatedBytes\":"), () -> {
                jvm.get("/40", TRACEPARENT);
                return sidecar.report();
            });
            assertThat(report).doesNotContain("\"cpuMicros\":");

            sidecar.order("{\"settings\":{\"measure\":\"wall\"}}");
            assertThat(sidecar.reportOfFollower()).contains("\"what\":[],", "\"oneIn\":0,");
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatIsAllocated_canBeSampledFromAnOrderOn(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, "debug=true,budget=1")) {
            boolean can = !sidecar.reportWith("\"state\":\"armed\"").matches(".*\"jvm\":\"[^\"]* VM 11.*");
            sidecar.order("{\"settings\":{\"allocations\":\"150\"}}");
            String followed = sidecar.reportOfFollower();
            if (!can) {
                assertThat(followed).contains("settings: allocations aren't sampled: this JVM lacks");
                return;
            }
            String told = Patience.until(batch -> batch.contains("SmallServer.allocated\""), () -> {
                jvm.get("/allocate", "");
                return sidecar.noAllocations() ? "" : sidecar.allocations(); // a recording takes a while to begin
            });
            assertThat(told).contains("\"perSecond\":150,");
        }
    }

    @Test
    void namesToMask_holdForPointsThatAreThereAlready_andThoseOfTheStartStay() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,budget=1,redact=position")) {
            sidecar.reportWith("\"state\":\"armed\"");
            String points = "\"points\":{\"points\":[" + point("price", "{quantity} asked") + ","
                    + point("discount", "at {position}") + "]}";
            sidecar.order("{" + points + "}");
            assertThat(sidecar.reportOfFollower()).contains("\"points\":\"2 points\"", "\"problems\":[]");
            sidecar.hitsWith("\"text\":\"40 asked\"", () -> jvm.get("/40", ""));
            sidecar.hitsWith("\"text\":\"at [masked]\"", () -> jvm.get("/40", ""));

            sidecar.order("{\"settings\":{\"redact\":\"quantity\"}," + points + "}");
            assertThat(sidecar.reportOfFollower())
                    .contains("\"redact\":{\"value\":\"position;quantity\",\"origin\":\"order\",\"changeable\":true}");
            sidecar.hitsWith("\"text\":\"[masked] asked\"", () -> jvm.get("/40", ""));
            assertThat(sidecar.hitsWith("\"text\":\"at ", () -> jvm.get("/40", "")))
                    .doesNotContain("\"text\":\"at 1");
        }
    }

    private static String point(String method, String message) {
        return "{\"id\":\"" + method + "\",\"method\":\"" + SmallServer.class.getName() + "#" + method
                + "\",\"at\":\"entry\",\"message\":\"" + message + "\",\"rate\":100,\"quota\":1000}";
    }
}
