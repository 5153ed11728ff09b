package dev.understudy.it.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.RealServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.it.session.SessionProbe.aggregator;
import static dev.understudy.it.session.SessionProbe.assertNothingIsLeft;
import static dev.understudy.it.session.SessionProbe.awaitLive;
import static dev.understudy.it.session.SessionProbe.compared;
import static dev.understudy.it.session.SessionProbe.control;
import static dev.understudy.it.session.SessionProbe.line;
import static dev.understudy.it.session.SessionProbe.output;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * {@code understudy debug} as a user types it, on a service that knows nothing of it: one class, since its tests share
 * the services and what must be left of a session, which is nothing.
 */
final class DebugSessionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final int CLIENTS = 8;

    @TempDir
    private Path folder;

    private RealServer redis;
    private Child production;
    private int port;

    @BeforeEach
    void start() throws Exception {
        redis = RealServer.redis(Files.createDirectory(folder.resolve("redis")));
        production = OwnJvm.startService(
                folder,
                Till.class,
                "production",
                "-Dredis=" + redis.port(),
                "-Dsun.net.httpserver.idleInterval=" + PATIENCE.toSeconds());
        port = OwnJvm.port(production);
    }

    @AfterEach
    void stop() {
        production.close();
        redis.close();
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server"})
    void runningService_isCopiedWithItsMemory_andLeftAsItWas() throws Exception {
        ask("/put?coupon=half");
        for (int n = 0; n < 20; n++) {
            ask("/sold");
        }
        try (Child session = debug("--pid", pid(), "--protocol", web(), "--protocol", upstream())) {
            String id = awaitLive(session);
            for (int n = 0; n < 50; n++) {
                assertThat(ask("/get?coupon")).isEqualTo("half");
                assertThat(ask("/sold")).isEqualTo("sold " + (21 + n));
                assertThat(ask("/stock?pens")).isEqualTo(":" + (n + 1));
            }
            await("all verdicts")
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(compared(session)).as(session.output()).isEqualTo(150));
            assertCallersAreKnown(session);
            assertThat(run(0, "--list")).contains(id + "  RUNNING");

            assertThat(run(0, "--stop", id)).contains("ended");

            assertThat(session.exitCode(PATIENCE)).as(session.output()).isZero();
            assertThat(session.output()).contains("LIVE", "same answers on ").doesNotContain(": left ");
            assertThat(report()).content().contains("LIVE copy, faithful: ");
            assertNothingIsLeft(id);
        }
        assertThat(ask("/sold")).isEqualTo("sold 71");
    }

    @Test
    @Tag("any-jdk")
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv"})
    void serviceWithoutUpstreams_isCopiedToo_forAsLongAsItIsSaid() throws Exception {
        production.close();
        production = OwnJvm.startService(folder, Till.class, "alone");
        port = OwnJvm.port(production);
        ask("/put?coupon=half");
        Path sources = Checkout.root().resolve("it/src/test/java");
        String[] options = {"--pid", pid(), "--protocol", web(), "--for", "10s", "--source", sources.toString()};
        try (Child session = debug(options)) {
            String id = awaitLive(session);
            assertThat(ask("/get?coupon")).isEqualTo("half");
            assertThat(control(session, "/v1/source?method=dev.understudy.it.session.Till"))
                    .contains("sources-1.zip!dev/understudy/it/session/Till.java");

            assertThat(session.exitCode(PATIENCE)).as(session.output()).isZero();
            assertThat(session.output()).contains("same answers on 1 of 1");
            assertNothingIsLeft(id);
        }
    }

    @Test
    @Tag("any-jdk")
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server"})
    void killedSession_leavesProductionAlone_andIsUndone() throws Exception {
        try (Child session = debug("--pid", pid(), "--protocol", web(), "--protocol", upstream())) {
            String id = awaitLive(session);
            ask("/sold");

            session.process().destroyForcibly().onExit().join();

            await("the redirects to be gone")
                    .atMost(PATIENCE)
                    .until(() -> output("iptables-save", "-t", "nat")
                            .lines()
                            .noneMatch(rule -> rule.contains(id) && rule.contains("--dport " + port)));
            for (int n = 0; n < 20; n++) {
                assertThat(ask("/sold")).isEqualTo("sold " + (2 + n));
            }
            assertThat(run(0, "--list")).contains(id + "  ENDED", "understudy debug --undo " + id);
            run(0, "--undo", id);
            assertNothingIsLeft(id);
        }
        assertThat(ask("/sold")).isEqualTo("sold 22");
    }

    @Test
    @Tag("any-jdk")
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server"})
    void freshCopies_takeThePlaceOfTheOldOnes_withProductionsMemory_andTheirOrders() throws Exception {
        try (Socket before = new Socket("127.0.0.1", port);
                Child session = renewed("--renew-on-divergence", "first")) {
            String id = awaitLive(session);
            ask("/put?coupon=half");
            for (int n = 1; n <= 10; n++) {
                assertThat(ask("/sold")).isEqualTo("sold " + n);
            }
            String point = "log add '" + Till.class.getName() + "#increment' --message 'counted {arg1}'";
            assertThat(command(id, point)).contains("follows it");
            String first = copyOf(session);

            await("a fresh copy")
                    .atMost(PATIENCE)
                    .failFast(() -> assertThat(session.process().isAlive())
                            .as(session.output())
                            .isTrue())
                    .pollInterval(Duration.ofSeconds(3))
                    .untilAsserted(() -> command(id, "resync"));

            String second = copyOf(session);
            assertThat(second).isNotEqualTo(first);
            assertThat(ProcessHandle.of(Long.parseLong(first))).isEmpty();
            assertThat(command(id, "resync --epochs")).contains("epoch 2 of debug, because of asked");
            answersAlike(session, 11, "half");
            awaitHit(id, "pens");

            assertThat(keptAlive(before, "/put?coupon=quarter"))
                    .as("by a connection from before the session, which isn't copied")
                    .isEqualTo("was half");
            assertThat(ask("/get?coupon")).as("the copy has another").isEqualTo("quarter");

            await("one more, as a reply differed")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(copyOf(session)).isNotEqualTo(second));
            assertThat(session.output()).contains("a fresh copy is made (divergence)");
            answersAlike(session, 31, "quarter");
            awaitHit(id, "ink");
            assertThat(run(0, "--stop", id)).contains("ended");
            assertThat(session.exitCode(PATIENCE)).as(session.output()).isEqualTo(1);
            assertThat(session.output()).contains("1 differ");
            assertNothingIsLeft(id);
        }
        assertThat(ask("/sold")).isEqualTo("sold 51");
    }

    /** The agent of a fresh copy on a slow machine may follow its orders only after the session has stopped waiting. */
    private void awaitHit(String id, String item) {
        await("the point in the fresh copy")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    assertThat(ask("/stock?" + item)).startsWith(":");
                    assertThat(command(id, "log show")).contains("counted " + item);
                });
    }

    private Child renewed(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--pid", pid(), "--renew-pause", "10s"));
        all.addAll(List.of("--protocol", web(), "--protocol", upstream()));
        all.addAll(List.of(options));
        return debug(all.toArray(String[]::new));
    }

    /** Redis isn't told of traces: the copy's agent says for which requests the copy asks. */
    private void assertCallersAreKnown(Child session) throws Exception {
        assertThat(aggregator(session, "/v1/status")).contains("\"callers\":{\"linked\":true}");
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<String>> calls = Collections.nCopies(10 * CLIENTS, () -> ask("/stock?ink"));
            for (Future<String> reply : clients.invokeAll(calls)) {
                assertThat(reply.get()).startsWith(":");
            }
        } finally {
            clients.shutdownNow();
        }
        await("the copy's calls").atMost(PATIENCE).untilAsserted(() -> {
            List<JsonNode> matches = new ArrayList<>();
            new ObjectMapper()
                    .readTree(aggregator(session, "/v1/matches?limit=200"))
                    .path("matches")
                    .forEach(matches::add);
            matches.removeIf(match -> !match.path("form").asText().contains("ink"));
            assertThat(matches).hasSize(10 * CLIENTS);
            assertThat(matches.stream().filter(match -> match.has("trace"))).hasSizeGreaterThan(CLIENTS);
        });
    }

    private void answersAlike(Child session, int next, String coupon) throws IOException {
        long before = compared(session);
        for (int n = next; n < next + 20; n++) {
            assertThat(ask("/sold")).isEqualTo("sold " + n);
            assertThat(ask("/get?coupon")).isEqualTo(coupon);
        }
        await("all verdicts")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(compared(session)).as(session.output()).isGreaterThanOrEqualTo(before + 40));
    }

    /** What another command of the session prints. */
    private String command(String id, String words) throws Exception {
        List<String> line = List.of("sh", "-c", ". /run/understudy/" + id + "/env && ./understudy " + words);
        try (Child command = Child.start(folder.resolve("other.log"), line)) {
            assertThat(command.exitCode(PATIENCE)).as(command.output()).isZero();
            return command.output();
        }
    }

    /** The process that the session named last as its copy. */
    private static String copyOf(Child session) {
        Matcher named = Pattern.compile("(?:the copy runs:|has taken the place,) process (\\d+)")
                .matcher(session.output());
        String last = "";
        while (named.find()) {
            last = named.group(1);
        }
        assertThat(last).as(session.output()).isNotEmpty();
        return last;
    }

    @Test
    @Tag("any-jdk")
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server", "kill"})
    void stoppedSidecar_isNoticed_andProductionIsReachedWithoutIt() throws Exception {
        try (Child session = debug("--pid", pid(), "--protocol", web(), "--protocol", upstream())) {
            String id = awaitLive(session);
            assertThat(ask("/sold")).isEqualTo("sold 1");

            output("kill", "-STOP", Long.toString(program(id, "sidecar")));
            try (Socket waiting = new Socket("127.0.0.1", port)) {
                waiting.getOutputStream().write(new byte[] {'G'});

                await("an answer")
                        .atMost(PATIENCE)
                        .ignoreExceptions()
                        .until(() -> ask("/sold").startsWith("sold "));

                waiting.setSoTimeout((int) PATIENCE.toMillis());
                assertThat(isOver(waiting))
                        .as("it is cut, or ended, and doesn't hang")
                        .isTrue();
            }
            assertThat(session.exitCode(PATIENCE)).as(session.output()).isEqualTo(2);
            assertThat(session.output()).contains("the sidecar is stopped", "nothing is redirected any more");
            assertNothingIsLeft(id);
        }
    }

    /** Whether a connection ends within its time-out, in order or by a reset. */
    private static boolean isOver(Socket connection) throws SocketTimeoutException {
        try {
            return connection.getInputStream().read() < 0;
        } catch (SocketTimeoutException hangs) {
            throw hangs;
        } catch (IOException reset) {
            return true;
        }
    }

    /** A process of the session, by what its list calls it. */
    static long program(String id, String name) throws IOException {
        Matcher entry = Pattern.compile("\"(\\d+)\",\"\\d+\",\"" + name + "\"")
                .matcher(Files.readString(Path.of("/run/understudy", id, "ledger.jsonl")));
        assertThat(entry.find()).isTrue();
        return Long.parseLong(entry.group(1));
    }

    @Test
    @Tag("any-jdk")
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv", "redis-server"})
    void plan_changesNothing_andSaysWhatWillBeDone() throws Exception {
        // sessions of other classes come and go meanwhile
        await("a plan that changed nothing").atMost(PATIENCE).untilAsserted(() -> {
            List<String> before = sessions();
            assertThat(run(0, "--pid", pid(), "--dry-run", "--protocol", web()))
                    .contains("Target: process " + pid(), ":" + port + "  http", "Copy: LIVE", "Nothing was changed.");
            assertThat(sessions()).isEqualTo(before);
        });
        assertThat(run(2, "--pid", "999999999")).contains("999999999");
    }

    /** Nothing shows what the test's service speaks. */
    private String web() {
        return port + "=http";
    }

    private String upstream() {
        return redis.port() + "=redis";
    }

    private String pid() {
        return Long.toString(production.process().pid());
    }

    private Child debug(String... options) throws IOException {
        List<String> line = new ArrayList<>(line(options));
        line.addAll(List.of("--report", report().toString()));
        return Child.start(folder.resolve("session.log"), line);
    }

    private Path report() {
        return folder.resolve("report.html");
    }

    private String run(int code, String... options) throws Exception {
        try (Child command = Child.start(folder.resolve("command.log"), line(options))) {
            assertThat(command.exitCode(PATIENCE)).as(command.output()).isEqualTo(code);
            return command.output();
        }
    }

    /** All that sessions have made in this machine's network. */
    private static List<String> sessions() throws IOException {
        return (output("iptables-save") + output("ip", "netns", "list"))
                .lines()
                .filter(line -> line.contains("understudy"))
                .toList();
    }

    private String ask(String path) throws IOException {
        return SessionProbe.ask(port, path);
    }

    /** Over a connection that stays open. */
    private static String keptAlive(Socket client, String path) throws IOException {
        client.setSoTimeout((int) PATIENCE.toMillis());
        String request = "GET " + path + " HTTP/1.1\r\nHost: till\r\n\r\n";
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        BufferedReader reply =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        String line = reply.readLine();
        while (!line.isEmpty()) {
            line = reply.readLine();
        }
        return reply.readLine();
    }
}
