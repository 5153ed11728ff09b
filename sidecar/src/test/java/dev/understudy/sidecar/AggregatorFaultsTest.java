package dev.understudy.sidecar;

import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.upstream.AggregatorFaults;
import java.net.http.HttpResponse;
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

    private final CountDownLatch held = new CountDownLatch(1);
    private volatile int status = 200;
    private volatile String body = "{\"faults\":[]}";
    private volatile boolean holding;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private HttpService aggregator;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private AggregatorFaults faults;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private RolePort port;

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
        port.close();
        faults.close();
        aggregator.close();
    }

    @Test
    void calls_arePassedOn_withTheSidecarsToken_andAnsweredInTheAggregatorsWords() throws Exception {
        assertThat(port.send("GET", "/v1/faults", "read", "").body()).isEqualTo("{\"faults\":[]}");
        assertThat(port.send("PUT", "/v1/faults/db-reset", "operate", FAULT).statusCode())
                .isEqualTo(200);
        status = 404;
        body = "{\"status\":404,\"detail\":\"no fault is called x\"}";
        HttpResponse<String> unknown = port.send("DELETE", "/v1/faults/x", "operate", "");
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
        assertThat(port.send("PUT", "/v1/faults/x", "read", FAULT).statusCode()).isEqualTo(403);
        assertThat(port.send("DELETE", "/v1/faults/x", "read", "").statusCode()).isEqualTo(403);
        assertThat(port.send("DELETE", "/v1/faults", "read", "").statusCode()).isEqualTo(403);
        assertThat(port.send("PUT", "/v1/faults/a%20b", "operate", FAULT).statusCode())
                .isEqualTo(400);
        assertThat(port.send("PUT", "/v1/faults/x", "operate", " ".repeat(20_000))
                        .statusCode())
                .isEqualTo(413);
        assertThat(aggregator.asked).isEmpty();
    }

    /** A 401 would sign the caller's browser out, who did nothing wrong. */
    @ParameterizedTest
    @CsvSource({"401, aggregator.token", "403, aggregator.token", "500, status 500", "302, status 302"})
    void whatIsNotTheCallersFault_isABadGateway(int said, String words) throws Exception {
        status = said;
        HttpResponse<String> reply = port.send("GET", "/v1/faults", "read", "");
        assertThat(reply.statusCode()).isEqualTo(502);
        assertThat(reply.body()).contains(words);
    }

    @Test
    void endlessAnswers_andUnreachableAggregators_areSaid() throws Exception {
        body = "\"" + "x".repeat(256 << 10) + "\"";
        assertThat(port.send("GET", "/v1/faults", "read", "").body()).contains("502", "more than 262144 bytes");
        body = "{}";
        assertThat(port.send("GET", "/v1/faults", "read", "").statusCode()).isEqualTo(200);

        aggregator.close();
        assertThat(port.send("GET", "/v1/faults", "read", "").statusCode()).isEqualTo(502);

        port.close();
        open(LinkConfig.none());
        assertThat(port.send("GET", "/v1/faults", "read", "").body()).contains("404", "aggregator.url");
    }

    @Test
    void whoLooks_takesNoPlaceFromWhoTakesFaultsBack() throws Exception {
        holding = true;
        for (int n = 0; n < 20; n++) {
            port.start("GET", "/v1/faults", "read");
        }
        await().until(() -> !aggregator.asked.isEmpty());
        port.start("DELETE", "/v1/faults", "operate");
        await().until(() ->
                aggregator.asked.stream().anyMatch(asked -> asked.method().equals("DELETE")));
    }

    @Test
    void anAggregatorThatStandsStill_holdsFewCalls_andNobodyElse() throws Exception {
        holding = true;
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        calls.add(port.start("GET", "/v1/faults", "read"));
        await().until(() -> !aggregator.asked.isEmpty());
        for (int n = 0; n < 20; n++) {
            calls.add(port.start("GET", "/v1/faults", "read"));
        }
        assertThat(port.send("GET", "/v1/other", "read", "").body()).isEqualTo("other");
        await().until(() -> calls.stream().filter(CompletableFuture::isDone).count() >= 18);

        HttpResponse<String> first = calls.get(0).join();
        assertThat(first.statusCode()).isEqualTo(502);
        assertThat(first.body()).contains("does not answer within 2 s");
        held.countDown();
        holding = false;
        assertThat(calls.stream().filter(call -> call.join().statusCode() == 503))
                .hasSize(18);
        assertThat(port.send("GET", "/v1/faults", "read", "").statusCode()).isEqualTo(200);
    }

    private void open(LinkConfig link) throws Exception {
        faults = new AggregatorFaults(link);
        port = new RolePort(faults.addTo(new Routes().get("/v1/other", call -> Reply.text(200, "other"))));
    }
}
