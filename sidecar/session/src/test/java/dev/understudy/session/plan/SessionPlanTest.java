package dev.understudy.session.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.target.FileUse;
import dev.understudy.session.target.JvmFacts;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.OpenFile;
import dev.understudy.session.target.ProcessNamespaces;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UnixPeer;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.sidecar.verdict.CopyState;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SessionPlanTest {
    private static final CloneForecast POSSIBLE = new CloneForecast(
            List.of(
                    new CloneCheck("tracer", Outcome.PASS, "nobody traces it"),
                    new CloneCheck("pipes", Outcome.WARN, "a pipe to another process: broken in the copy")),
            Duration.ofMillis(420));
    private static final CloneForecast REFUSED = new CloneForecast(
            List.of(new CloneCheck("criu", Outcome.REFUSE, "no criu (expected: 4.2 or newer on the PATH)")),
            Duration.ZERO);

    private static TargetSurvey survey(List<String> command, List<String> notes) {
        return new TargetSurvey(
                new TargetProcess(4711, 99, 1000, 1000, command, Path.of("/srv")),
                new ProcessNamespaces(1, 2, 3),
                new JvmFacts(
                        Path.of("/opt/jdk"), "17.0.15", "G1", List.of("-Xmx512m"), "-Xmx512m", true, List.of("jdwp")),
                394L << 20,
                43,
                List.of(new ListeningPort(
                        new InetSocketAddress("::", 8080), "http", "the port is usual for HTTP", TlsUse.NO, 12)),
                List.of(new UpstreamAddress(
                        new InetSocketAddress("10.0.0.2", 5432),
                        List.of("db", "db.shop"),
                        "postgres",
                        "a URL: DB_URL in the environment",
                        TlsUse.UNKNOWN,
                        10)),
                List.of(new UnixPeer("/run/agent.sock", 1)),
                List.of(new OpenFile("/srv/shop.log", Set.of(FileUse.APPENDED), 5000)),
                notes);
    }

    private static SessionPlan plan(TargetSurvey survey, List<PlanNeed> needs, DriverPlan... drivers) {
        return new SessionPlan(
                new PlannedTarget("process 4711", survey, null, List.of()),
                List.of(drivers),
                needs,
                Path.of("/dev/shm"));
    }

    private static final DriverPlan LIVE = new DriverPlan("process", CopyState.LIVE, POSSIBLE);

    @Test
    void text_showsAllThatWillBeDone() {
        String text = PlanText.of(plan(survey(List.of("java", "-jar", "shop.jar"), List.of()), List.of(), LIVE));

        assertThat(text).isEqualTo("""
                        Target: process 4711
                          java -jar shop.jar
                          process 4711 of user 1000, 394 MB in memory, 43 threads
                          Java 17.0.15, collector G1, -Xmx512m
                          agents: jdwp

                        Listens on
                          *:8080  http without TLS (the port is usual for HTTP), 12 clients

                        Upstreams
                          10.0.0.2:5432 (db, db.shop)  postgres, TLS unknown (a URL: DB_URL in the environment), 10
                            connections, unrecorded until the pool renews them

                        Unix sockets
                          /run/agent.sock, 1 connection

                        Files
                          /srv/shop.log  appended, 5 KB

                        Copy: LIVE, by the driver process; production is suspended for about 0.4 s
                          process (LIVE): possible, 2 checks
                            warn pipes: a pipe to another process: broken in the copy

                        The copy has
                          Heap, threads and open files, as they are at one moment.
                          Private copies of 1 file: what it writes stays in the copy.
                          Addresses of its own in a network where only Understudy answers.

                        The copy doesn't have
                          The 10 connections to upstreams: its pools connect anew, and are answered from \
                        recorded replies.
                          What production does on these connections is recorded only once its pools have renewed them.
                          The 12 connections of clients: they stay production's alone.
                          Transactions and requests that are under way at that moment.
                          Its connections by Unix sockets, to 1 peer.

                        Made on this machine, removed at the end
                          Rules of the packet filter in the target's network: new connections to 1 port and to \
                        1 upstream
                            pass through Understudy. Existing ones stay untouched.
                          A network namespace and a pair of links for the copy.
                          Processes: the sidecar, the aggregator, and the copy.
                          A snapshot below /dev/shm, about 394 MB, readable by root only. It holds the \
                        process's secrets,
                            and is deleted once the copy runs.
                          A session file that lists all of this, and a folder for the report.

                        Nothing was changed.
                        """);
    }

    @Test
    void bestPossibleDriver_isChosen() {
        DriverPlan refused = new DriverPlan("process", CopyState.LIVE, REFUSED);
        DriverPlan cold = new DriverPlan("command", CopyState.COLD, new CloneForecast(List.of(), Duration.ZERO));
        SessionPlan plan = plan(survey(List.of("java"), List.of()), List.of(), refused, cold);

        assertThat(plan.chosen()).contains(cold);
        assertThat(PlanText.of(plan))
                .contains("Copy: COLD, by the driver command; production isn't suspended")
                .contains("the copy is COLD, not LIVE: no criu (expected: 4.2 or newer on the PATH)")
                .contains("refuse criu: no criu (expected: 4.2 or newer on the PATH)")
                .contains("Caches, sessions, pools and counters that production has in memory.");
        assertThat(PlanText.of(plan(survey(List.of("java"), List.of()), List.of(), refused)))
                .contains("Copy: none; every driver refuses")
                .doesNotContain("The copy has", "Made on this machine")
                .endsWith("A session can't be begun yet.\n");
    }

    @Test
    void missingNeed_isShownWithTheWayOut() {
        List<PlanNeed> needs = HostNeeds.of("CapEff:\t0000000000001000\n", "/no/such/folder:\0:");
        SessionPlan plan = plan(survey(List.of("java"), List.of()), needs, LIVE);

        assertThat(plan.isPossible()).isFalse();
        assertThat(plan.missing())
                .extracting(PlanNeed::name)
                .containsExactly("CAP_SYS_PTRACE", "CAP_SYS_ADMIN", "ip", "iptables", "nsenter");
        assertThat(PlanText.of(plan)).contains("iptables: install the package iptables");
        assertThat(PlanJson.of(plan).path("missing").findValuesAsText("name")).contains("CAP_SYS_ADMIN");
    }

    @Test
    void secretsOfTheCommandLine_areInNeitherForm() {
        SessionPlan plan = plan(
                survey(
                        List.of(
                                "java",
                                "-Ddb.password=hunter2 and hunter2",
                                "-Durl=jdbc:postgresql://db/x?user=u&password=hunter2",
                                "-Dother=redis://:hunter2@cache:6379",
                                "--api-key",
                                "hunter2",
                                "--token=hunter2"),
                        List.of()),
                List.of(),
                LIVE);

        assertThat(PlanText.of(plan)).doesNotContain("hunter2").contains("[masked]");
        assertThat(PlanJson.of(plan).toString()).doesNotContain("hunter2").contains("[masked]");
        SessionPlan cold = new SessionPlan(
                new PlannedTarget("a new process", null, null, List.of("java", "--password", "hunter2")),
                List.of(),
                List.of(),
                Path.of("/dev/shm"));
        assertThat(PlanText.of(cold) + PlanJson.of(cold)).doesNotContain("hunter2");
    }

    @Test
    void hostileText_staysInItsColumns_andCommandsNoTerminal() {
        List<String> command = Collections.nCopies(5000, "\u001b[2J\n\r\u202e" + "x".repeat(10_000));
        String text = PlanText.of(plan(
                survey(command, Collections.nCopies(500, "y".repeat(300) + "\u0007")), List.of(), LIVE));

        assertThat(text.lines()).allMatch(line -> line.length() <= 100).hasSizeLessThan(300);
        assertThat(text.chars())
                .noneMatch(c -> c != '\n' && Character.isISOControl(c))
                .noneMatch(c -> c == 0x202e);
    }

    @Test
    void json_hasAllThatTheTextHas() {
        JsonNode json = PlanJson.of(plan(survey(List.of("java"), List.of("A note.")), List.of(), LIVE));

        assertThat(json.at("/target/pid").asLong()).isEqualTo(4711);
        assertThat(json.at("/target/jvm/collector").asText()).isEqualTo("G1");
        assertThat(json.at("/target/ports/0/port").asInt()).isEqualTo(8080);
        assertThat(json.at("/target/upstreams/0/names/1").asText()).isEqualTo("db.shop");
        assertThat(json.at("/target/upstreams/0/tls").asText()).isEqualTo("unknown");
        assertThat(json.at("/target/files/0/uses/0").asText()).isEqualTo("appended");
        assertThat(json.at("/target/notes/0").asText()).isEqualTo("A note.");
        assertThat(json.at("/copy/state").asText()).isEqualTo("LIVE");
        assertThat(json.at("/copy/suspensionMillis").asLong()).isEqualTo(420);
        assertThat(json.at("/drivers/0/checks/1/outcome").asText()).isEqualTo("warn");
        assertThat(json.path("changes")).hasSize(5);
        assertThat(json.path("possible").asBoolean()).isTrue();
    }
}
