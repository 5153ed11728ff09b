package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.survey.Shop;
import dev.understudy.sidecar.verdict.CopyState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("process")
final class TargetOptionsTest {
    private static final SessionPlanner PLANNER = new SessionPlanner(
            target -> List.of(), new CloneLimits(Duration.ofSeconds(3), Path.of("/dev/shm"), 1 << 20));

    @Command(name = "debug")
    static final class Debug {
        @Mixin
        TargetOptions target = new TargetOptions();
    }

    private static TargetOptions options(String... words) {
        Debug command = new Debug();
        new CommandLine(command).parseArgs(words);
        return command.target;
    }

    @Test
    void oneForm_isTaken() {
        assertThat(options("--pid", "5").pid()).isEqualTo(5);
        assertThat(options("--container", "a").container()).isEqualTo("a");
        assertThat(options("--compose", "a").compose()).isEqualTo("a");
        assertThat(options("--protocol", "80=http", "--", "java", "-jar", "--pid", "a.jar")
                        .command())
                .containsExactly("java", "-jar", "--pid", "a.jar");
        assertThat(options("--pid", "5", "--protocol", "80=http", "--protocol", "81=redis")
                        .protocols())
                .containsEntry(80, "http")
                .containsEntry(81, "redis");
        assertThat(options("--pid", "5").probesUpstreams()).isFalse();
    }

    @Test
    void severalForms_areRefused() {
        assertThatThrownBy(() -> options("--pid", "5", "--container", "a")).isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> options("--pid", "5", "--", "java")).isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> options("--pid", "x")).isInstanceOf(ParameterException.class);
    }

    @Test
    void noForm_orAnUnknownProtocol_isAnErrorWithTheWayOut() {
        assertThatThrownBy(() -> PLANNER.plan(options()))
                .isInstanceOf(TargetException.class)
                .hasMessage("no target (expected: --pid PID, --container NAME, --compose SERVICE, or -- COMMAND)");
        assertThatThrownBy(() -> PLANNER.plan(options("--pid", "5", "--protocol", "80=smtp")))
                .hasMessageStartingWith("--protocol: 80=smtp (expected: a port from 1 to 65535, and http,");
        assertThatThrownBy(() -> PLANNER.plan(options("--pid", "5", "--protocol", "0=http")))
                .hasMessageStartingWith("--protocol: 0=http");
    }

    @Test
    void command_isPlannedCold_withTheUpstreamsThatAreNamed() throws Exception {
        SessionPlan plan = PLANNER.plan(
                options("--upstream", "127.0.0.1:6379", "--", "sh", "-Durl=postgresql://127.0.0.2/x", "-c", "java"));

        assertThat(plan.drivers()).singleElement().extracting(DriverPlan::state).isEqualTo(CopyState.COLD);
        assertThat(PlanText.of(plan)).contains("127.0.0.1:6379  redis", "127.0.0.2:5432  postgres");
        assertThat(PlanText.of(PLANNER.plan(options("--", "no-such-program"))))
                .contains("refuse command: no-such-program: no such program (expected: one on the PATH");
    }

    @Test
    void upstreamThatIsntRight_isAnErrorWithTheWayOut() {
        for (String wrong : List.of("db", "db:0", "db:65536", ":5432", "redis://db:6379")) {
            assertThatThrownBy(() -> PLANNER.plan(options("--upstream", wrong, "--", "java")))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("--upstream: " + wrong + " (expected: HOST:PORT or HOST:PORT=live, such as"
                            + " db.shop:5432 or prices.shop:8080=live)");
        }
    }

    @Test
    void liveUpstream_isAWarning_andRefusedWhereReadsAreNotKnown() throws Exception {
        SessionPlan plan = PLANNER.plan(
                options("--upstream", "127.0.0.1:6379=live", "--upstream", "127.0.0.1:8080=replayed", "--", "java"));

        assertThat(PlanText.of(plan)).contains("live: reads of the copy reach it");
        assertThat(PlanConsequences.of(plan).changes())
                .filteredOn(change -> change.startsWith("Warning: "))
                .singleElement()
                .asString()
                .startsWith("Warning: 127.0.0.1:6379 is live: reads of the copy");
        assertThat(PlanJson.of(plan).at("/target/upstreams/0/live").asBoolean()).isTrue();
        assertThat(PlanJson.of(plan).at("/target/upstreams/1/live").asBoolean()).isFalse();
        assertThatThrownBy(() -> PLANNER.plan(options("--upstream", "127.0.0.1:5432=live", "--", "java")))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("--upstream: 127.0.0.1:5432=live with the protocol postgres (expected: http");
        assertThatThrownBy(() -> PLANNER.plan(
                        options("--upstream", "127.0.0.1:443=live", "--", "java", "-Durl=https://127.0.0.1:443/")))
                .hasMessageContaining("expected: a server without TLS");
    }

    @Test
    void pid_isPlannedBySurvey() throws Exception {
        try (Shop shop = Shop.start("listen=127.0.0.1")) {
            SessionPlan plan = PLANNER.plan(options("--pid", "" + shop.pid(), "--protocol", shop.port(0) + "=http"));

            assertThat(PlanText.of(plan))
                    .startsWith("Target: process " + shop.pid() + "\n")
                    .contains("127.0.0.1:" + shop.port(0) + "  http, TLS unknown (chosen by --protocol), 0 clients")
                    .contains("no driver is for this target");
        }
    }
}
