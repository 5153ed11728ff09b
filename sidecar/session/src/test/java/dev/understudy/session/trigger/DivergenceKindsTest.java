package dev.understudy.session.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.session.trigger.RuleBook.Firing;
import dev.understudy.session.trigger.RuleCondition.NewDivergence;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A rule that waits for a kind of divergence, beside a real sidecar that compares. */
final class DivergenceKindsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer production;
    private HttpServer debug;
    private Sidecar sidecar;

    @BeforeEach
    void open() throws Exception {
        production = service(1);
        debug = service(2);
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}]
                control: {listen: '127.0.0.1:0', token: 0123456789abcdef}
                drain: 100ms
                """.formatted(
                        production.getAddress().getPort(), debug.getAddress().getPort()));
        Problems problems = new Problems();
        sidecar = Sidecar.start(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
    }

    @AfterEach
    void close() {
        sidecar.close();
        debug.stop(0);
        production.stop(0);
    }

    @Test
    void kindThatWasThere_isKnown_andOneThatWasntIsNew() throws Exception {
        ask("/known");
        awaitDifferent(1);
        try (DivergenceKinds kinds = DivergenceKinds.follow(wanted(TOKEN, 1))) {
            await().atMost(PATIENCE).until(kinds::hasSeen);
            ask("/known");
            ask("/agrees");
            ask("/novel/7");
            ask("/novel/8");

            List<String> fresh = new ArrayList<>();
            await().atMost(PATIENCE).until(() -> fresh.addAll(kinds.look()));

            awaitDifferent(4);
            assertThat(fresh).containsExactly("GET /novel/{n} (VALUE body.n)");
        }
    }

    @Test
    void rule_firesOnANewKind_andSaysWhich() {
        RuleBook book = book(wanted(TOKEN, 1));
        char[] letter = {'a'};
        try (RuleConditions conditions = new RuleConditions(book, Clock.systemUTC(), System.nanoTime())) {
            // what is there at the sidecar's first answer isn't new
            await().atMost(PATIENCE).until(() -> {
                ask("/kind-" + letter[0]++);
                conditions.look(List.of(), System.nanoTime());
                return book.take().map(Firing::why).orElse("").startsWith("a new kind of divergence: GET /kind-");
            });
        }
    }

    @Test
    void ruleWhoseSidecarRefuses_saysSo_andKeepsNobodyWaiting() {
        RuleBook book = book(wanted("wrong-token-0123456789", 1));
        try (RuleConditions conditions = new RuleConditions(book, Clock.systemUTC(), System.nanoTime())) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                conditions.look(List.of(), System.nanoTime());
                assertThat(book.document().toString()).contains("wants a token");
            });
            assertThat(book.take()).isEmpty();
        }
    }

    private NewDivergence wanted(String token, int least) {
        int port = sidecar.controlAddress().getPort();
        return new NewDivergence(URI.create("http://127.0.0.1:" + port), token, least);
    }

    private static RuleBook book(NewDivergence wanted) {
        TriggerRule rule = new TriggerRule("novel", wanted, Duration.ofMinutes(1), Duration.ofMinutes(30), 3);
        return new RuleBook(List.of(rule), Clock.systemUTC());
    }

    private void awaitDifferent(int count) {
        await().atMost(PATIENCE)
                .until(() ->
                        get("/v1/status").at("/listeners/0/verdicts/DIFFERENT").asInt() == count);
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return ControlClient.ofSidecar(wanted(TOKEN, 1).sidecar(), TOKEN).get(path);
    }

    private void ask(String path) throws IOException, InterruptedException {
        int port = sidecar.addresses().values().iterator().next().getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    }

    private static HttpServer service(int number) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", exchange -> {
            boolean agrees = exchange.getRequestURI().getPath().equals("/agrees");
            byte[] body = "{\"n\":%d}".formatted(agrees ? 0 : number).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}
