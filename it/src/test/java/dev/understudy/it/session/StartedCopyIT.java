package dev.understudy.it.session;

import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.RealServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.it.session.SessionProbe.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Copies that {@code understudy debug} starts, on a machine without CRIU. */
@Tag("any-jdk")
final class StartedCopyIT {
    private static final String GREETING = "JDWP-Handshake";
    private static final Pattern DEBUGGER =
            Pattern.compile("debugger: ([\\d.]+):5005, or understudy ide --address \\1:5005\n");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    private RealServer redis;
    private int port;

    @BeforeEach
    void start() throws Exception {
        redis = RealServer.redis(Files.createDirectory(folder.resolve("redis")));
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server"})
    void restartedCopy_answersTheSame_andSaysWhatItMissed() throws Exception {
        try (Child production = OwnJvm.startService(
                folder, Till.class, "production", "-Dport=" + port, "-Dredis=" + redis.port(), "-XX:OnError=true")) {
            OwnJvm.port(production);
            String pid = Long.toString(production.process().pid());
            String live = "127.0.0.1:" + redis.port() + "=live";
            try (Child session = debug("--pid", pid, "--clone", "restart", "--upstream", live)) {
                String id = SessionProbe.awaitLive(session);
                sameAnswers(session);
                assertThat(SessionProbe.aggregator(session, "/v1/status")).contains("\"callers\":{\"linked\":true}");
                assertThat(ask(port, "/look?pens"))
                        .as("over production's connection from before, which isn't recorded")
                        .isEqualTo("20");
                await("the copy's verdict on what it read itself")
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(SessionProbe.compared(session))
                                .as(session.output())
                                .isEqualTo(41));
                try (Child list = command("--list")) {
                    assertThat(list.exitCode(PATIENCE)).isZero();
                    assertThat(list.output()).contains(id + "  RUNNING  process " + pid + ", copy RESTARTED");
                }

                end(session, id);

                assertThat(session.output())
                        .contains("RESTARTED by restart", "the copy asked upstreams 1 times for what isn't recorded")
                        .contains("is live: reads of the copy", "the copy read 1 times from live upstreams")
                        .contains("live upstreams didn't get 1, as they aren't known to only read");
            }
            assertThat(ask(port, "/starts")).isEqualTo(":1");
            assertThat(ask(port, "/stock?starts"))
                    .as("the copy's start changed nothing")
                    .isEqualTo(":2");
            assertThat(ask(port, "/sold")).isEqualTo("sold 21");
        }
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server"})
    void command_isStartedTwice_andTheCopysStartIsAnsweredFromTheRecording() throws Exception {
        List<String> line =
                new ArrayList<>(List.of("--debugger", "5005", "--upstream", "localhost:" + redis.port(), "--"));
        line.addAll(OwnJvm.command(Till.class, "-Dport=" + port, "-Dredis=" + redis.port()));
        try (Child session = debug(line.toArray(String[]::new))) {
            String id = SessionProbe.awaitLive(session);
            assertThat(ask(port, "/starts")).isEqualTo(":1");
            sameAnswers(session);
            assertThat(greeting(session)).isEqualTo(GREETING);

            end(session, id);

            assertThat(session.output())
                    .contains("copy COLD by restart", "same answers on 41 of 41")
                    .doesNotContain("what isn't recorded");
        }
        assertThatThrownBy(() -> ask(port, "/starts"))
                .as("the service ends with its session")
                .isInstanceOf(IOException.class);
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "initdb", "postgres"})
    void commandWithPostgres_hasACopyWithoutADatabase_andOutlivesItsKilledSession() throws Exception {
        try (RealServer postgres = RealServer.postgres(Files.createDirectory(folder.resolve("postgres")));
                Child session = debug(bookings(postgres.port()))) {
            String id = SessionProbe.awaitLive(session);
            ProcessHandle service = service(session);
            for (int n = 1; n <= 20; n++) {
                assertThat(ask(port, "/book?ada")).isEqualTo("ada " + n);
            }
            await("all verdicts")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(SessionProbe.compared(session))
                            .as(session.output())
                            .isEqualTo(20));
            assertThat(session.output())
                    .contains("copy COLD by restart")
                    .doesNotContain("1 DIFFERENT", "missed upstream");

            try {
                session.process().destroyForcibly().onExit().join();
                assertUndone(id);
                assertThat(service.isAlive()).isTrue();
                assertThat(ask(port, "/book?ada")).isEqualTo("ada 21");
            } finally {
                // PostgreSQL waits for its clients
                service.destroyForcibly();
            }
        }
    }

    private void assertUndone(String id) throws Exception {
        await("the undo").atMost(PATIENCE).untilAsserted(() -> {
            try (Child undo = command("--undo", id)) {
                assertThat(undo.exitCode(PATIENCE)).as(undo.output()).isZero();
            }
        });
        SessionProbe.assertNothingIsLeft(id);
    }

    private String[] bookings(int database) {
        String driver = org.postgresql.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        List<String> line = new ArrayList<>(List.of("--protocol", database + "=postgres", "--"));
        line.addAll(OwnJvm.command(Bookings.class, "-Dport=" + port));
        line.set(line.size() - 2, line.get(line.size() - 2) + ":" + driver);
        line.add("jdbc:postgresql://localhost:" + database + "/postgres?user=bench");
        return line.toArray(String[]::new);
    }

    /** The one of two like processes that is in this network. */
    private static ProcessHandle service(Child session) {
        return session.process()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("java"))
                .filter(process -> process.info().commandLine().orElse("").contains(Bookings.class.getName()))
                .filter(process -> network(process.pid())
                        .equals(network(ProcessHandle.current().pid())))
                .findFirst()
                .orElseThrow();
    }

    private static String network(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns", "net"))
                    .toString();
        } catch (IOException ended) {
            return "";
        }
    }

    private void sameAnswers(Child session) throws Exception {
        for (int n = 1; n <= 20; n++) {
            assertThat(ask(port, "/sold")).isEqualTo("sold " + n);
            assertThat(ask(port, "/stock?pens")).isEqualTo(":" + n);
        }
        await("all verdicts")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(SessionProbe.compared(session))
                        .as(session.output())
                        .isGreaterThanOrEqualTo(40));
    }

    private void end(Child session, String id) throws Exception {
        try (Child stop = command("--stop", id)) {
            assertThat(stop.exitCode(PATIENCE)).as(stop.output()).isZero();
        }
        assertThat(session.exitCode(PATIENCE)).as(session.output()).isZero();
        SessionProbe.assertNothingIsLeft(id);
    }

    /** What the copy answers a debugger first. */
    private static String greeting(Child session) throws IOException {
        Matcher address = DEBUGGER.matcher(session.output());
        assertThat(address.find()).as(session.output()).isTrue();
        try (Socket debugger = new Socket(address.group(1), 5005)) {
            debugger.setSoTimeout((int) PATIENCE.toMillis());
            debugger.getOutputStream().write(GREETING.getBytes(StandardCharsets.US_ASCII));
            return new String(debugger.getInputStream().readNBytes(GREETING.length()), StandardCharsets.US_ASCII);
        }
    }

    private Child debug(String... options) throws IOException {
        List<String> all =
                new ArrayList<>(List.of("--protocol", port + "=http", "--protocol", redis.port() + "=redis"));
        all.addAll(List.of("--report", folder.resolve("report.html").toString()));
        all.addAll(List.of(options));
        return Child.start(folder.resolve("session.log"), SessionProbe.line(all.toArray(String[]::new)));
    }

    private Child command(String... options) throws IOException {
        return Child.start(folder.resolve("command.log"), SessionProbe.line(options));
    }
}
