package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The second level, by setting and by order, in a JVM that runs. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class DeepenIT {
    private static final String SERVER = SmallServer.class.getName();
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @Test
    void whatTheOperatorOrders_comesBeforeWhatTheSearchDoes_andStaysUntilItIsTakenBack() throws Exception {
        String search = "\"classes\":[\"" + SERVER + "$Late\"],\"methods\":[]";
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,deep=1")) {
            assertThat(jvm.get("/late", "")).isEqualTo("late");
            sidecar.order("{\"deepen\":{" + search + "}}");
            sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "$Late\":\"search\"}");
            assertPriceIsLookedInto(jvm, sidecar, search);

            sidecar.order("{\"deepen\":{" + search + "}}");
            sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "$Late\":\"search\"}");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    /**
     * Has the operator order what {@link SmallServer#price} belongs to: its jumps, and what is returned to it, are told
     * of.
     *
     * @param search what the search for suspects orders beside that, as fields of JSON
     */
    static void assertPriceIsLookedInto(ForkedJvm jvm, FakeSidecar sidecar, String search) throws Exception {
        sidecar.order("{\"deepen\":{\"patterns\":[\"*.SmallServer#price\",\"no.Such\"]," + search + "}}");
        sidecar.reportWith(
                "\"secondLevelBy\":{\"" + SERVER + "\":\"operator\"}",
                "\"deepen\":\"branches of one class; 1 ordered; no.Such matches none that is woven\"");
        assertThat(jvm.get("/40", "")).isEqualTo("price 188");
        String price = "\"method\":\"" + Pattern.quote(SERVER) + "#price\",\"line\":\\d+,";
        sidecar.observe(
                List.of(price + "[^{}]*\"condition\":1", price + "[^{}]*\"at\":\"[^\"]+\",\"kind\":"),
                () -> jvm.get("/40", TRACEPARENT));
    }

    @Test
    void whatCanBeReached_isOrderedByWhereItBegins() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true")) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.order("{\"deepen\":{\"patterns\":[\"from:*.SmallServer#answer\"]}}");
            sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "\":\"operator\"}");
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void namedClasses_tellTheirBranches_wovenInARunningJvm(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, "debug=true,branches=" + SERVER)) {
            for (int i = 0; i < 5; i++) {
                assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188"); // loaded, compiled or not
            }
            sidecar.reportWith("\"secondLevel\":[\"" + SERVER + "\"]");

            Pattern branch = Pattern.compile("\"(\\d+)\":\\{\"method\":\"" + Pattern.quote(SERVER)
                    + "#price\",\"line\":\\d+,\"to\":\\d+,\"condition\":1,\"conditions\":1}");
            Patience.until(batches -> goesBothWays(branch, batches), () -> {
                for (int request = 0; request < 20; request++) {
                    assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
                }
                sidecar.report();
                return sidecar.observationsSoFar(); // how many are observed is the budget's to say
            });
            assertThat(jvm.get("/2000", TRACEPARENT)).isEqualTo("refused: position: 1001");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    private static boolean goesBothWays(Pattern branch, String batches) {
        return branch.matcher(batches).results().anyMatch(found -> {
            int number = Integer.parseInt(found.group(1));
            return batches.contains("," + (number * 16 + 13) + ",") && batches.contains("," + (number * 16 + 14) + ",");
        });
    }

    @Test
    void classesThatAreOrdered_comeToTheSecondLevel_andLeaveIt() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,deep=1")) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            sidecar.reportWith("\"secondLevel\":[]");
            sidecar.order("{\"deepen\":{\"classes\":[\"" + SERVER + "\",\"no.such.Class\"]}}");
            sidecar.reportWith("\"secondLevel\":[\"" + SERVER + "\"]");
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(sidecar.reportOfFollower()).contains("\"deepen\":\"branches of one class\"");
            sidecar.order("{}");
            sidecar.reportWith("\"secondLevel\":[]");
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    @Test
    void aClassWhoseBranchesAreTooDear_goesBack() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm =
                        AgentIT.start(ForkedJvm.java(), sidecar, "debug=true,budget=0.0001,branches=" + SERVER)) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.reportWith("\"secondLevel\":[\"" + SERVER + "\"]");
            Patience.until(report -> report.contains("\"secondLevel\":[]"), () -> {
                for (int i = 0; i < 20; i++) {
                    assertThat(jvm.get("/900", "")).startsWith("price");
                }
                return sidecar.report();
            });
        }
    }
}
