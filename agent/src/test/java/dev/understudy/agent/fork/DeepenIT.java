package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The second level by the operator's order, in a JVM that runs. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class DeepenIT {
    private static final String SERVER = SmallServer.class.getName();

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatTheOperatorOrders_comesBeforeWhatTheSearchDoes_andStaysUntilItIsTakenBack(Path java) throws Exception {
        String search = "\"classes\":[\"" + SERVER + "$Late\"],\"methods\":[]";
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, "debug=true,deep=1")) {
            assertThat(jvm.get("/late", "")).isEqualTo("late");
            sidecar.order("{\"deepen\":{" + search + "}}");
            sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "$Late\":\"search\"}");
            sidecar.order("{\"deepen\":{\"patterns\":[\"*.SmallServer#price\",\"no.Such\"]," + search + "}}");
            assertThat(sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "\":\"operator\"}"))
                    .contains("\"deepen\":\"branches of one class; 1 ordered; no.Such matches none that is woven\"");
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.observe(
                    List.of("\"method\":\"" + Pattern.quote(SERVER) + "#price\",\"line\":"),
                    () -> jvm.get("/40", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));

            sidecar.order("{\"deepen\":{" + search + "}}");
            sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "$Late\":\"search\"}");
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatCanBeReached_isOrderedByWhereItBegins(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, "debug=true")) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.order("{\"deepen\":{\"patterns\":[\"from:*.SmallServer#answer\"]}}");
            sidecar.reportWith("\"secondLevelBy\":{\"" + SERVER + "\":\"operator\"}");
        }
    }
}
