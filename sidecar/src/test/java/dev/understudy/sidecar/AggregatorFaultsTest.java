package dev.understudy.sidecar;

import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.upstream.AggregatorFaults;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Faults of the aggregator by way of the sidecar's control port. */
final class AggregatorFaultsTest {
    private static final String FAULT = "{\"upstream\":\"db\",\"fault\":\"reset\"}";

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile int status = 200;
    private volatile String body = "{\"faults\":[]}";
    private volatile boolean holding;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private HttpService aggregator;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private AggregatorFaults faults;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private ControlServer server;

    @BeforeEach
    void open() throws Exception {
        aggregator = HttpService.answering((asked, exchange) -> {
            if (holding) {
                held.await();
            }
            HttpService.reply(exchange, status, body);
        });
        String address = aggregator.address().getHostString() + ":"
                + aggregator.address().getPort();
        open(new LinkConfig("http://" + address, "s3cret", ""));
    }

    @AfterEach
    void close() {
        held.countDown();
        server.close();
        faults.close();
        aggregator.close();
    }

    @Test
    void calls_arePassedOn_withTheSidecarsToken_andAnsweredInTheAggregatorsWords() throws Exception {
        assertThat(send("GET", "/v1/faults", "read", "").body()).isEqualTo("{\"faults\":[]}");
        assertThat(send("PUT", "/v1/faults/db-reset", "operate", FAULT).statusCode())
                .isEqualTo(200);
        status = 404;
        body = "{\"status\":404,\"detail\":\"no fault is called x\"}";
        HttpResponse<String> unknown = send("DELETE", "/v1/faults/x", "operate", "");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("no fault is called x");

        assertThat(aggregator.asked.stream()
                        .map(asked -> asked.method() + " " + asked.target() + " " + new String(asked.body(), UTF_8)))
                .containsExactly("GET /v1/faults ", "PUT /v1/faults/db-reset " + FAULT, "DELETE /v1/faults/x ");
        assertThat(aggregator.asked)
                .allSatisfy(asked ->
                        assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer s3cret"));
    }

    @Test
    void readers_seeThem_andSetNone() throws Exception {
        assertThat(send("PUT", "/v1/faults/x", "read", FAULT).statusCode()).isEqualTo(403);
        assertThat(send("DELETE", "/v1/faults/x", "read", "").statusCode()).isEqualTo(403);
        assertThat(send("DELETE", "/v1/faults", "read", "").statusCode()).isEqualTo(403);
        assertThat(send("PUT", "/v1/faults/a%20b", "operate", FAULT).statusCode())
                .isEqualTo(400);
        assertThat(send("PUT", "/v1/faults/x", "operate", " ".repeat(20_000)).statusCode())
                .isEqualTo(413);
        assertThat(aggregator.asked).isEmpty();
    }

    /** A 401 would sign the caller's browser out, who did nothing wrong. */
    @ParameterizedTest
    @CsvSource({"401, aggregator.token", "403, aggregator.token", "500, status 500", "302, status 302"})
    void whatIsNotTheCallersFault_isABadGateway(int said, String words) throws Exception {
        status = said;
        HttpResponse<String> reply = send("GET", "/v1/faults", "read", "");
        assertThat(reply.statusCode()).isEqualTo(502);
        assertThat(reply.body()).contains(words);
    }

    @Test
    void endlessAnswers_andUnreachableAggregators_areSaid() throws Exception {
        body = "\"" + "x".repeat(256 << 10) + "\"";
        assertThat(send("GET", "/v1/faults", "read", "").body()).contains("502", "more than 262144 bytes");
        body = "{}";
        assertThat(send("GET", "/v1/faults", "read", "").statusCode()).isEqualTo(200);

        aggregator.close();
        assertThat(send("GET", "/v1/faults", "read", "").statusCode()).isEqualTo(502);

        server.close();
        open(LinkConfig.none());
        assertThat(send("GET", "/v1/faults", "read", "").body()).contains("404", "aggregator.url");
    }

    @Test
    void anAggregatorThatStandsStill_holdsFewCalls_andNobodyElse() throws Exception {
        holding = true;
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        calls.add(start());
        await().until(() -> !aggregator.asked.isEmpty());
        for (int n = 0; n < 20; n++) {
            calls.add(start());
        }
        assertThat(send("GET", "/v1/other", "read", "").body()).isEqualTo("other");
        await().until(() -> calls.stream().filter(CompletableFuture::isDone).count() >= 18);

        HttpResponse<String> first = calls.get(0).join();
        assertThat(first.statusCode()).isEqualTo(502);
        assertThat(first.body()).contains("does not answer within 2 s");
        held.countDown();
        holding = false;
        assertThat(calls.stream().filter(call -> call.join().statusCode() == 503))
                .hasSize(18);
        assertThat(send("GET", "/v1/faults", "read", "").statusCode()).isEqualTo(200);
    }

    private void open(LinkConfig link) throws Exception {
        AccessConfig access = new AccessConfig(
                List.of(
                        new AccessToken("reader", Role.READ, "t-read"),
                        new AccessToken("operator", Role.OPERATE, "t-operate")),
                null);
        faults = new AggregatorFaults(link);
        server = ControlServer.open(
                new ControlConfig(new InetSocketAddress("127.0.0.1", 0), access),
                faults.addTo(new Routes().get("/v1/other", call -> Reply.text(200, "other"))));
    }

    private CompletableFuture<HttpResponse<String>> start() {
        return client.sendAsync(request("GET", "/v1/faults", "read", ""), BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String method, String path, String role, String json) throws Exception {
        return client.send(request(method, path, role, json), BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path, String role, String json) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .header("Authorization", "Bearer t-" + role)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build();
    }
}
