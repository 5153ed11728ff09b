package dev.understudy.it.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.clone.AgedShop;
import dev.understudy.it.bench.clone.ShopClients;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.OwnJvm;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Sessions whose copy a rule has made, of a service with a defect that only its memory has. */
@Tag("any-jdk")
final class TriggeredSessionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String TOKEN = "0123456789abcdef";
    private static final Pattern SESSION = Pattern.compile("session ([0-9a-f]{8})");
    private static final Pattern ALERTS = Pattern.compile("alerts: (http://\\S+)");
    private static final Pattern OUTCOME = Pattern.compile("outcome: (\\S+)");

    @TempDir
    private Path folder;

    private Child production;
    private int port;

    @BeforeEach
    void start() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        production = OwnJvm.startService(
                folder,
                AgedShop.class,
                "production",
                "-Dport=" + port,
                "-Dsun.net.httpserver.maxIdleConnections=10000");
        OwnJvm.port(production);
        assertThat(ShopClients.ask(port, "/import?pen")).isEqualTo(200);
        assertThat(ShopClients.ask(port, "/price?pen")).isEqualTo(500);
    }

    @AfterEach
    void stop() {
        production.close();
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv"})
    void alert_hasALiveCopyMade_whichShowsTheDefectOfItsMemory() throws Exception {
        try (ShopClients clients = new ShopClients(port, 100, "/price?pen", "/price?book");
                Child session = debug(rules("{name: alarm, alert: HighErrors}"), "--clone", "criu")) {
            String id = awaitWatch(session);
            assertThat(alert(session, "Other").body()).isEqualTo("{\"rules\":{}}");
            assertThat(alert(session, "HighErrors").body()).isEqualTo("{\"rules\":{\"alarm\":\"fired\"}}");

            JsonNode outcome = awaitOutcome(session);

            assertThat(outcome.path("copy").asText()).isEqualTo("LIVE");
            assertThat(outcome.path("rule").asText()).isEqualTo("alarm");
            assertThat(methods(outcome)).as(session.output()).anyMatch(method -> method.contains("AgedShop#format"));
            assertThat(SessionProbe.control(session, "/v1/timeline?kind=alert"))
                    .contains("\"rule\":\"alarm\"", outcome.path("trace").asText());
            assertThat(session.output())
                    .contains("the first suspect is certain")
                    .contains("trace " + outcome.path("trace").asText());
            await("the rule's line")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(command("--list")).contains("rule alarm: fired 1, suppressed 0"));
            end(session, id);
            assertThat(clients.problem()).isEmpty();
        }
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv"})
    void restartedCopy_hasNotTheMemory_butWhatWasRecorded_alsoIfNothingFailsAfterwards() throws Exception {
        try (Child session = debug(rules("{name: errors, errors: 40%, least: 150}"), "--clone", "restart")) {
            String id = awaitWatch(session);
            // a request before the rule fires: its entry is on no disk, only in what the tap has recorded
            assertThat(ShopClients.ask(port, "/import?cup")).isEqualTo(200);
            try (ShopClients books = new ShopClients(port, 200, "/price?book")) {
                try (ShopClients failing = new ShopClients(port, 50, "/price?pen", "/price?cup")) {
                    await("the rule")
                            .atMost(PATIENCE)
                            .until(() -> session.output().contains("rule errors fired")
                                    || !session.process().isAlive());
                    assertThat(failing.problem()).isEmpty();
                }
                JsonNode outcome = awaitOutcome(session);

                assertThat(outcome.path("copy").asText()).isEqualTo("RESTARTED");
                assertThat(session.output())
                        .contains("played what was recorded before", " 0 failed")
                        .doesNotContain("isn't played to its end");
                assertThat(outcome.path("code").asInt())
                        .as("the pen, which was bad before")
                        .isEqualTo(1);
                assertThat(methods(outcome))
                        .as("the cup, which was recorded: " + outcome.toPrettyString() + session.output())
                        .anyMatch(method -> method.contains("AgedShop#format"));
                assertThat(outcome.path("failing").asInt()).isGreaterThanOrEqualTo(20);
                assertThat(books.problem()).isEmpty();
            }
            end(session, id);
        }
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv"})
    void oneShot_endsByItself_onceASuspectIsCertain() throws Exception {
        try (ShopClients clients = new ShopClients(port, 100, "/price?pen", "/price?book");
                Child session = session("--for", "5m", "--until-certain", "--outcome", outcomes())) {
            assertThat(session.exitCode(PATIENCE)).as(session.output()).isZero();

            JsonNode outcome = awaitOutcome(session);
            assertThat(session.output()).contains("the first suspect is certain");
            assertThat(methods(outcome)).anyMatch(method -> method.contains("AgedShop#format"));
            SessionProbe.assertNothingIsLeft(id(session));
            assertThat(clients.problem()).isEmpty();
        }
    }

    @Test
    @NeedsPrograms({"ip", "iptables", "nsenter", "setpriv"})
    void wrongRules_areSaid_andNothingIsMade() throws Exception {
        Path rules = Files.writeString(folder.resolve("wrong.yaml"), "rules: [{name: a, error: 5%}]");
        try (Child session = session("--rules", rules.toString())) {
            assertThat(session.exitCode(PATIENCE)).isEqualTo(2);
            assertThat(session.output()).contains("wrong.yaml:1:", "error: unknown key", "errors");
        }
    }

    private String outcomes() {
        return folder.resolve("outcomes").toString();
    }

    private Path rules(String rule) throws IOException {
        return Files.writeString(folder.resolve("rules.yaml"), """
                keep: 2m
                observe: 5m
                alerts: {listen: '127.0.0.1:0', token: %s}
                outcome: {folder: %s}
                rules:
                  - %s
                """.formatted(TOKEN, outcomes(), rule));
    }

    private Child debug(Path rules, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--rules", rules.toString()));
        options.addAll(List.of(more));
        return session(options.toArray(String[]::new));
    }

    private Child session(String... more) throws IOException {
        List<String> options = new ArrayList<>(
                List.of("--pid", Long.toString(production.process().pid()), "--protocol", port + "=http"));
        options.addAll(List.of("--report", folder.resolve("report.html").toString()));
        options.addAll(List.of(more));
        return Child.start(folder.resolve("session.log"), SessionProbe.line(options.toArray(String[]::new)));
    }

    private String command(String... options) throws Exception {
        try (Child command = Child.start(folder.resolve("command.log"), SessionProbe.line(options))) {
            assertThat(command.exitCode(PATIENCE)).as(command.output()).isZero();
            return command.output();
        }
    }

    private void end(Child session, String id) throws Exception {
        command("--stop", id);
        assertThat(session.exitCode(PATIENCE)).as(session.output()).isLessThan(2);
        SessionProbe.assertNothingIsLeft(id);
    }

    private static String awaitWatch(Child session) {
        await("the watch")
                .atMost(PATIENCE)
                .until(() -> session.output().contains("watching 1 rules")
                        || !session.process().isAlive());
        assertThat(session.process().isAlive()).as(session.output()).isTrue();
        return id(session);
    }

    private static String id(Child session) {
        Matcher id = SESSION.matcher(session.output());
        assertThat(id.find()).as(session.output()).isTrue();
        return id.group(1);
    }

    private static JsonNode awaitOutcome(Child session) throws IOException {
        await("the outcome")
                .atMost(PATIENCE)
                .until(() -> OUTCOME.matcher(session.output()).find()
                        || !session.process().isAlive());
        Matcher place = OUTCOME.matcher(session.output());
        assertThat(place.find()).as(session.output()).isTrue();
        return new ObjectMapper()
                .readTree(Path.of(place.group(1), "outcome.json").toFile());
    }

    private static HttpResponse<String> alert(Child session, String name) throws Exception {
        Matcher url = ALERTS.matcher(session.output());
        assertThat(url.find()).as(session.output()).isTrue();
        String body = "{\"version\":\"4\",\"status\":\"firing\",\"alerts\":[{\"status\":\"firing\",\"labels\":{"
                + "\"alertname\":\"" + name + "\"}}]}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(url.group(1)))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    /** The suspects, and the methods that can't be told from them. */
    private static List<String> methods(JsonNode outcome) {
        List<String> methods = new ArrayList<>();
        for (JsonNode suspect : outcome.path("suspects")) {
            methods.add(suspect.path("method").asText());
            suspect.path("alike").forEach(alike -> methods.add(alike.asText()));
        }
        return methods;
    }
}
