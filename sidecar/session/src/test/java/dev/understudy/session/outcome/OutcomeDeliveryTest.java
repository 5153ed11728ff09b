package dev.understudy.session.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class OutcomeDeliveryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<Integer> statuses = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            int status = statuses.isEmpty() ? 200 : statuses.remove(0);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        over.countDown();
        server.stop(0);
    }

    @Test
    void webhook_getsTheOutcome_alsoAtTheThirdAttempt() throws Exception {
        statuses.addAll(List.of(503, 429));

        assertThat(post("/hook?key=secret", TIMEOUT))
                .containsExactly("webhook: sent to http://127.0.0.1:"
                        + server.getAddress().getPort());
        assertThat(bodies).hasSize(3);
        JsonNode document = new ObjectMapper().readTree(bodies.get(2));
        assertThat(document.path("rule").asText()).isEqualTo("alarm");
        assertThat(document.path("trace").asText()).hasSize(32);
        assertThat(document.path("suspects")).hasSize(SessionFindings.MOST);
        assertThat(document.at("/suspects/0/method").asText()).isEqualTo("Prices.quote");
        assertThat(document.at("/suspects/0/alike")).hasSize(SessionFindings.MOST);
        assertThat(document.at("/suspects/0/alike/4").asText()).isEqualTo("Alike.m4");
        assertThat(bodies.get(2)).doesNotContain("password=1");
    }

    @Test
    void refusals_areTriedAsOftenAsThatHelps_andAreSaid() throws Exception {
        statuses.addAll(List.of(500, 500, 500, 400));
        assertThat(post("/hook", TIMEOUT)).singleElement().asString().contains("it answered 500");
        assertThat(bodies).hasSize(3);
        assertThat(post("/hook", TIMEOUT)).singleElement().asString().contains("it answered 400");
        assertThat(bodies).hasSize(4);
        server.stop(0);
        assertThat(post("/hook", TIMEOUT)).singleElement().asString().contains("not taken by");
    }

    @Test
    void replyWithoutAnEnd_endsTheAttempt() throws Exception {
        assertThat(post("/endless", Duration.ofMillis(200)))
                .singleElement()
                .asString()
                .contains("no whole reply came in 200 ms");
    }

    @Test
    void folder_getsReportAndSuspects_forThisUserOnly(@TempDir Path folder) throws Exception {
        Path report = Files.writeString(folder.resolve("page.html"), "page");
        OutcomeSettings settings = new OutcomeSettings(folder.resolve("outcomes"), null, null);

        List<String> said = new OutcomeDelivery(settings, TIMEOUT, PAUSE).deliver(findings(report));

        Path own = Path.of(said.get(0).substring("outcome: ".length()));
        assertThat(own.resolve("report.html")).hasContent("page");
        assertThat(own.resolve("suspects.json")).content().contains("Prices.quote");
        assertThat(own.resolve("outcome.json")).content().contains("alarm");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(new OutcomeDelivery(new OutcomeSettings(file, null, null)).deliver(findings(report)))
                .singleElement()
                .asString()
                .contains("can't be written");
    }

    @Test
    void trace_isOneSpanWithTheSuspects() throws Exception {
        URI otlp = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        SessionFindings findings = findings(Path.of("none"));

        List<String> said =
                new OutcomeDelivery(new OutcomeSettings(null, null, otlp), TIMEOUT, PAUSE).deliver(findings);

        assertThat(said).singleElement().asString().contains("trace " + findings.trace() + ": sent");
        JsonNode span = new ObjectMapper().readTree(bodies.get(0)).at("/resourceSpans/0/scopeSpans/0/spans/0");
        assertThat(span.path("traceId").asText()).isEqualTo(findings.trace());
        assertThat(span.path("spanId").asText()).hasSize(16);
        assertThat(span.path("events")).hasSize(SessionFindings.MOST);
        assertThat(span.path("endTimeUnixNano").asText()).isEqualTo("1767225660000000000");
    }

    @Test
    void suspect_isCertain_onceItStaysFirst() {
        Certainty certainty = new Certainty();
        assertThat(certainty.look(suspects("a", 0.5, 100))).isFalse();
        assertThat(certainty.look(suspects("b", 0.5, 100))).isFalse();
        assertThat(certainty.look(suspects("b", 0.5, 100))).isFalse();
        assertThat(certainty.look(suspects("b", 0.05, 100))).as("near chance").isFalse();
        assertThat(certainty.look(suspects("b", 0.5, 19))).as("of too few").isFalse();
        assertThat(certainty.look(suspects("b", 0.5, 20))).isFalse();
        assertThat(certainty.look(suspects("b", 0.5, 20))).isFalse();
        assertThat(certainty.look(suspects("b", 0.5, 20))).isTrue();
        assertThat(certainty.first()).isEqualTo("b");
        assertThat(certainty.look(new ObjectMapper().createObjectNode())).isFalse();
    }

    private List<String> post(String path, Duration timeout) throws Exception {
        URI webhook = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        return new OutcomeDelivery(new OutcomeSettings(null, webhook, null), timeout, PAUSE)
                .deliver(findings(Path.of("none")));
    }

    private static SessionFindings findings(Path report) {
        Instant begun = Instant.parse("2026-01-01T00:00:00Z");
        return new SessionFindings(
                "0123abcd",
                "process 1",
                "LIVE",
                "alarm",
                OutcomeTrace.id(),
                begun,
                begun.plusSeconds(60),
                1,
                "text",
                report,
                suspects("Prices.quote", 0.9, 50));
    }

    private static ObjectNode suspects(String first, double low, int failing) {
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.putObject("exchanges").put("failing", failing).put("successful", 50);
        ArrayNode list = document.putArray("suspects");
        for (int n = 0; n < 8; n++) {
            ObjectNode suspect = list.addObject()
                    .put("rank", n + 1)
                    .put("method", n == 0 ? first : "Other.m" + n)
                    .put("low", low);
            suspect.putObject("example").put("request", "GET /?password=1");
            ArrayNode alike = suspect.putArray("alike");
            for (int other = 0; other < 8; other++) {
                alike.addObject().put("method", "Alike.m" + other);
            }
        }
        return document;
    }
}
