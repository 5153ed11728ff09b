package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HttpEndToEndTest {
    private final AtomicInteger served = new AtomicInteger();
    private final CountDownLatch slow = new CountDownLatch(1);
    private final HttpClient production = HttpClient.newHttpClient();
    private final HttpClient debug = HttpClient.newHttpClient();
    private HttpServer server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 1m");
    }

    @AfterEach
    void stop() {
        slow.countDown();
        aggregator.close();
        server.stop(0);
    }

    @Test
    void debugClient_getsWhatProductionGotAndTheServerServesProductionOnly() throws Exception {
        List<HttpRequest.Builder> requests = List.of(
                HttpRequest.newBuilder(at("/count?a=1")),
                HttpRequest.newBuilder(at("/count?a=1")),
                HttpRequest.newBuilder(at("/chunked")),
                HttpRequest.newBuilder(at("/count")).method("HEAD", BodyPublishers.noBody()),
                HttpRequest.newBuilder(at("/empty")),
                HttpRequest.newBuilder(at("/missing")),
                HttpRequest.newBuilder(at("/echo")).POST(BodyPublishers.ofString("{\"sku\":\"A-1\"}")),
                HttpRequest.newBuilder(at("/echo"))
                        .POST(BodyPublishers.ofInputStream(
                                () -> new java.io.ByteArrayInputStream("streamed".getBytes(StandardCharsets.UTF_8)))),
                HttpRequest.newBuilder(at("/echo")).expectContinue(true).PUT(BodyPublishers.ofString("expected")));
        for (HttpRequest.Builder request : requests) {
            HttpResponse<String> real = send(production, request, true);
            HttpResponse<String> replayed = send(debug, request, false);

            String what = real.request().method() + " " + real.uri();
            assertThat(replayed.statusCode()).as(what).isEqualTo(real.statusCode());
            assertThat(replayed.body()).as(what).isEqualTo(real.body());
            assertThat(replayed.headers()).as(what).isEqualTo(real.headers());
        }
        assertThat(served).hasValue(requests.size());
        assertThat(TestAggregator.status(aggregator))
                .contains("\"replayed\":" + requests.size(), "\"missed\":0", "\"unused\":0");
    }

    @Test
    void redirectToTheServersOwnAddress_leadsTheDebugClientToNoOther() throws Exception {
        server.createContext("/moved", request -> {
            String to = "http://" + request.getRequestHeaders().getFirst("Host") + "/count";
            request.getResponseHeaders().add("Location", to);
            request.sendResponseHeaders(302, -1);
            request.close();
        });
        HttpRequest.Builder request = HttpRequest.newBuilder(at("/moved"));

        HttpResponse<String> real = send(production, request, true);
        HttpResponse<String> replayed = send(debug, request, false);

        assertThat(real.headers().firstValue("Location"))
                .hasValue("http://" + real.uri().getAuthority() + "/count");
        assertThat(replayed.headers().firstValue("Location"))
                .hasValue("http://" + replayed.uri().getAuthority() + "/count");
    }

    @Test
    void requestThatProductionNeverSent_getsAProblemDocument() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 1ms");
        send(production, HttpRequest.newBuilder(at("/count?a=1")), true);
        TestAggregator.awaitUnused(aggregator, 1);

        HttpResponse<String> missed =
                send(debug, HttpRequest.newBuilder(at("/count?a=2")).header("Authorization", "Bearer s3cret"), false);

        assertThat(missed.statusCode()).isEqualTo(502);
        assertThat(missed.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(missed.body()).contains("GET /count?a=2", "\"nearest\":[\"GET /count?a=1");
        assertThat(TestAggregator.get(aggregator, "/v1/misses"))
                .contains("GET /count?a=2")
                .doesNotContain("s3cret");
        assertThat(served).hasValue(1);
    }

    @Test
    void requestBeforeProductions_waitsForIt() throws Exception {
        CompletableFuture<HttpResponse<String>> early =
                debug.sendAsync(request(HttpRequest.newBuilder(at("/count")), false), BodyHandlers.ofString());
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        assertThat(early).isNotDone();

        HttpResponse<String> real = send(production, HttpRequest.newBuilder(at("/count")), true);

        assertThat(early.get(60, TimeUnit.SECONDS).body()).isEqualTo(real.body());
        assertThat(TestAggregator.status(aggregator)).contains("\"waited\":1", "\"missed\":0");
    }

    @Test
    void callsOfOneForm_areToldApartByTheTraceThatBothSidesShare() throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(at("/count"));
        HttpResponse<String> first = send(production, request.copy().header("traceparent", parent('1')), true);
        HttpResponse<String> second = send(production, request.copy().header("traceparent", parent('2')), true);
        TestAggregator.awaitUnused(aggregator, 2);

        HttpResponse<String> replayed = send(debug, request.copy().header("traceparent", parent('2')), false);
        HttpResponse<String> other = send(debug, request.copy().header("traceparent", parent('1')), false);

        assertThat(List.of(replayed.body(), other.body())).containsExactly(second.body(), first.body());
        assertThat(TestAggregator.status(aggregator)).contains("\"TRACE\":2", "\"ambiguous\":0");
    }

    private static String parent(char trace) {
        return "00-" + String.valueOf(trace).repeat(32) + "-00f067aa0ba902b7-01";
    }

    @Test
    void whatTheRuleLeavesOut_doesNotCount_andTheRuleIsShown() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open(
                "http",
                server.getAddress().getPort(),
                "wait: 1ms",
                "form: { headers: [content-type, x-tenant], ignore-query: [ts], ignore-json: [id] }");
        HttpRequest.Builder request = HttpRequest.newBuilder(at("/count?ts=1&a=1"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"id\":1,\"sku\":\"A\"}"));
        HttpResponse<String> real = send(production, request, true);
        TestAggregator.awaitUnused(aggregator, 1);
        HttpRequest.Builder again = request.uri(at("/count?a=1&ts=2"))
                .header("Accept", "text/html")
                .POST(BodyPublishers.ofString("{\"id\":2,\"sku\":\"A\"}"));

        assertThat(send(debug, again.copy().header("X-Tenant", "b"), false).statusCode())
                .isEqualTo(502);
        assertThat(send(debug, again, false).body()).isEqualTo(real.body());
        String rule = "method; target without parameters ts; headers content-type, x-tenant; body, of JSON without id";
        assertThat(TestAggregator.status(aggregator)).contains(rule);
        assertThat(TestAggregator.get(aggregator, "/v1/matches/1")).contains(rule);
    }

    @Test
    void requestInAnotherOrder_getsProductionsReply_unlessBytesCount() throws Exception {
        HttpRequest.Builder json = HttpRequest.newBuilder(at("/count?page=1&size=20&sort=name"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"sku\":\"A-1\",\"qty\":\"2\"}"));
        HttpRequest.Builder form = HttpRequest.newBuilder(at("/count"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("page=1&size=20"));
        HttpRequest.Builder otherJson = HttpRequest.newBuilder(at("/count?sort=name&page=1&size=20"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"qty\":\"2\",\"sku\":\"A-1\"}"));
        HttpRequest.Builder otherForm = HttpRequest.newBuilder(at("/count"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("size=20&page=1"));
        List<String> real = List.of(
                send(production, json, true).body(),
                send(production, form, true).body());

        assertThat(List.of(
                        send(debug, otherJson, false).body(),
                        send(debug, otherForm, false).body()))
                .isEqualTo(real);

        aggregator.close();
        aggregator =
                TestAggregator.open("http", server.getAddress().getPort(), "wait: 1ms", "form: { equality: bytes }");
        send(production, json, true);
        TestAggregator.awaitUnused(aggregator, 1);
        assertThat(send(debug, otherJson, false).statusCode()).isEqualTo(502);
        assertThat(TestAggregator.get(aggregator, "/v1/matches/1")).contains("\"differs\":[\"query\",\"body\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/slow", "/stream"})
    void callThatTakesLongerThanWait_isWaitedForWhileProductionsIsUnderWay(String path) throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 500ms");
        HttpRequest.Builder request = HttpRequest.newBuilder(at(path));
        CompletableFuture<HttpResponse<String>> real =
                production.sendAsync(request(request, true), BodyHandlers.ofString());
        Eventually.await(() -> served.get() == 1);
        CompletableFuture<HttpResponse<String>> replayed =
                debug.sendAsync(request(request, false), BodyHandlers.ofString());
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        HttpResponse<String> never = send(debug, HttpRequest.newBuilder(at("/never")), false);
        assertThat(never.body()).contains("production has not sent this request lately", "raise `wait`");
        assertThat(replayed).isNotDone();

        slow.countDown();

        assertThat(replayed.get(60, TimeUnit.SECONDS).body())
                .isEqualTo(real.get(60, TimeUnit.SECONDS).body());
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":1");
    }

    @Test
    void traceContext_doesNotCount() throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(at("/count"));
        send(production, request.copy().header("traceparent", "00-1-1-01"), true);

        HttpResponse<String> replayed = send(debug, request.copy().header("traceparent", "00-2-2-01"), false);

        assertThat(replayed.statusCode()).isEqualTo(200);
    }

    private void serve(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String answer = served.incrementAndGet() + " " + exchange.getRequestURI() + " "
                + new String(sent, StandardCharsets.UTF_8);
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        switch (exchange.getRequestURI().getPath()) {
            case "/slow" -> {
                await(slow);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
            case "/stream" -> {
                exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                await(slow);
                exchange.getResponseBody().write("data: 2\n\n".getBytes(StandardCharsets.UTF_8));
            }
            case "/chunked" -> {
                exchange.sendResponseHeaders(200, 0);
                for (byte one : body) {
                    exchange.getResponseBody().write(one);
                    exchange.getResponseBody().flush();
                }
            }
            case "/empty" -> exchange.sendResponseHeaders(204, -1);
            case "/missing" -> {
                exchange.sendResponseHeaders(404, body.length);
                exchange.getResponseBody().write(body);
            }
            default -> {
                boolean head = exchange.getRequestMethod().equals("HEAD");
                exchange.getResponseHeaders().add("Content-Type", "text/plain");
                exchange.sendResponseHeaders(200, head ? -1 : body.length);
                if (!head) {
                    exchange.getResponseBody().write(body);
                }
            }
        }
        exchange.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static URI at(String path) {
        return URI.create("http://placeholder" + path);
    }

    private HttpResponse<String> send(HttpClient client, HttpRequest.Builder request, boolean toProduction)
            throws Exception {
        return client.send(request(request, toProduction), BodyHandlers.ofString());
    }

    private HttpRequest request(HttpRequest.Builder request, boolean toProduction) {
        InetSocketAddress address = toProduction
                ? aggregator.productionAddress("test")
                : (InetSocketAddress) aggregator.debugAddress("test");
        HttpRequest.Builder copy = request.copy();
        URI uri = copy.build().uri();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return copy.uri(URI.create("http://127.0.0.1:" + address.getPort() + uri.getRawPath() + query))
                .build();
    }
}
