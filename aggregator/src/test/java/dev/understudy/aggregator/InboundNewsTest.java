package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.control.ClockId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the sidecar tells decides which of several equal calls gets which reply. The upstream answers 1, 2, 3 … */
class InboundNewsTest {
    private final AtomicInteger served = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = Integer.toString(served.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 30s");
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
    }

    @Test
    void callsWithoutTrace_getTheRepliesOfWhatDebugIsServing() throws Exception {
        List<Long> arrived = new ArrayList<>();
        List<Long> replied = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            arrived.add(now());
            ask(aggregator.productionAddress("test"));
            replied.add(now());
        }
        assertThat(tell("")).isEqualTo(200);

        List<String> bodies = new ArrayList<>();
        for (int serving : new int[] {1, 2, 0}) {
            List<String> exchanges = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String handed = i == serving ? ",\"handed\":" + now() : "";
                exchanges.add("{\"id\":%d,\"arrived\":%d,\"replied\":%d%s}"
                        .formatted(3L * serving + i, arrived.get(i), replied.get(i), handed));
            }
            tell(String.join(",", exchanges));
            bodies.add(ask(aggregator.debugAddress("test")));
            tell("{\"id\":%d,\"arrived\":%d,\"replied\":%d,\"handed\":%d,\"done\":%d}"
                    .formatted(4L * serving, arrived.get(serving), replied.get(serving), now(), now()));
        }

        assertThat(bodies).containsExactly("2", "3", "1");
        JsonNode status = status();
        assertThat(status.at("/inbound/linked").asBoolean()).isTrue();
        assertThat(status.at("/upstreams/0/debug/matched/INTERVAL").asInt()).isEqualTo(3);
    }

    /** Debug is at all three at once: only its agent knows which of them asks. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5432})
    void callsWithoutTrace_areKnownByTheirConnections(int dialled) throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open(
                "http",
                server.getAddress().getPort(),
                "wait: 30s",
                "debug: { listen: 127.0.0.1:0, dialled-port: " + dialled + " }");
        List<Long> arrived = new ArrayList<>();
        List<Long> replied = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            arrived.add(now());
            ask(aggregator.productionAddress("test"));
            replied.add(now());
        }
        Eventually.await(() -> status().at("/upstreams/0/journal/unused").asInt() == 3);
        StringBuilder exchanges = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            exchanges
                    .append(i == 0 ? "" : ",")
                    .append("{\"id\":%d,\"arrived\":%d,\"replied\":%d,\"handed\":%d,\"debugTrace\":\"%s\"}"
                            .formatted(i, arrived.get(i), replied.get(i), now(), debugTrace(i)));
        }
        assertThat(tell(exchanges.toString())).isEqualTo(200);
        int port = ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
        int told = dialled == 0 ? port : dialled;
        assertThat(callers("").body()).isEqualTo("{\"debugPorts\":[" + port + "],\"ports\":[" + told + "]}");

        List<String> bodies = new ArrayList<>();
        for (int asking : new int[] {1, 2, 0}) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                callers("{\"port\":%d,\"to\":%d,\"nanos\":%d,\"trace\":\"%s\"}"
                        .formatted(socket.getLocalPort(), told, now(), debugTrace(asking)));
                socket.getOutputStream()
                        .write("GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                bodies.add(reply.substring(reply.length() - 1));
            }
        }

        assertThat(bodies).containsExactly("2", "3", "1");
        assertThat(status().at("/callers/linked").asBoolean()).isTrue();
        assertThat(status().at("/upstreams/0/debug/ambiguous").asInt()).isZero();
    }

    /** The upstream counts on; whoever runs again gets what it got. */
    @Test
    void callsOfAnExchangeThatIsRunAgain_getWhatItGot() throws Exception {
        long arrived = now();
        ask(aggregator.productionAddress("test"));
        tell("{\"id\":7,\"arrived\":%d,\"replied\":%d,\"handed\":%d,\"debugTrace\":\"%s\"}"
                .formatted(arrived, now(), now(), debugTrace(0)));
        assertThat(ask(aggregator.debugAddress("test"), debugTrace(0))).isEqualTo("1");
        ask(aggregator.productionAddress("test"));

        assertThat(rerun(debugTrace(1), 7)).isEqualTo(200);

        assertThat(ask(aggregator.debugAddress("test"), debugTrace(1))).isEqualTo("1");
        assertThat(ask(aggregator.debugAddress("test"), debugTrace(1))).contains("exchange 7, which is run again");
        assertThat(status().at("/upstreams/0/debug/repeated").asInt()).isEqualTo(1);
        assertThat(ask(aggregator.debugAddress("test"))).isEqualTo("2");
    }

    @Test
    void rerunsThatAreNone_areRefused() throws Exception {
        String rerun = "{\"trace\":\"" + debugTrace(1) + "\",\"exchange\":7}";
        assertThat(reruns(String.join(",", Collections.nCopies(64, rerun)))).isEqualTo(200);
        for (String wrong : new String[] {
            String.join(",", Collections.nCopies(65, rerun)),
            "{}",
            "7",
            "{\"trace\":\"x\",\"exchange\":7}",
            "{\"trace\":\"" + debugTrace(1) + "\"}",
            "{\"trace\":\"" + debugTrace(1) + "\",\"exchange\":1e99}"
        }) {
            assertThat(reruns(wrong)).as(wrong).isEqualTo(400);
        }
        for (String wrong : new String[] {"[1.5]", "[\"a\"]", "[1e99]", "[" + "7,".repeat(4_096) + "7]"}) {
            assertThat(reruns("],\"kept\":" + wrong.substring(0, wrong.length() - 1)))
                    .as(wrong)
                    .isEqualTo(400);
        }
        assertThat(reruns("],\"kept\":[7,8")).isEqualTo(200);
    }

    @Test
    void whatProductionGotBeforeDebugBeganAnew_isForgotten() throws Exception {
        ask(aggregator.productionAddress("test"));
        ask(aggregator.productionAddress("test"));
        Eventually.await(() -> status().at("/upstreams/0/journal/unused").asInt() == 2);
        for (String wrong : new String[] {"", "[]", "{}", "{\"olderThanMillis\":-1}", "{\"olderThanMillis\":1e99}"}) {
            assertThat(post("/v1/forget", wrong).statusCode()).as(wrong).isEqualTo(400);
        }
        assertThat(forgotten("3600000")).as("an hour old").isZero();
        assertThat(forgotten("0")).isEqualTo(2);

        ask(aggregator.productionAddress("test"));
        assertThat(ask(aggregator.debugAddress("test"))).isEqualTo("3");
    }

    @Test
    void moreCallsThanOneMessageMayTellOf_areRefused() throws Exception {
        String call = "{\"port\":1,\"to\":1,\"nanos\":1}";
        String message = "{\"run\":\"a\",\"sent\":1,\"roundTrip\":0,\"toldUntil\":1,\"calls\":[%s]}";
        String most = String.join(",", Collections.nCopies(4_096, call));

        assertThat(post("/v1/callers", message.formatted(most)).statusCode()).isEqualTo(200);
        assertThat(post("/v1/callers", message.formatted(most + "," + call)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void whatIsNoNews_isRefusedAndHarmsNothing() throws Exception {
        String[] pieces = {
            "{",
            "}",
            "[",
            "]",
            "\"exchanges\":",
            "\"sent\":",
            "\"id\":",
            "1e99",
            "99999999999999999999",
            "-",
            ",",
            "null",
            "\"trace\":",
            "\"x\"",
            "\"run\":",
            "\"roundTrip\":",
            "7",
            "\"toldUntil\":",
            "\"reruns\":",
            "\"completeUntil\":",
            "9223372036854775807"
        };
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StringBuilder body =
                    new StringBuilder(random.nextBoolean() ? "{\"run\":\"a\",\"sent\":1,\"roundTrip\":1," : "");
            int length = random.nextInt(12);
            for (int i = 0; i < length; i++) {
                body.append(pieces[random.nextInt(pieces.length)]);
            }
            assertThat(post(body.toString())).as("seed %d: %s", seed, body).isIn(200, 400);
            String calls = body.toString().replace("exchanges", "calls").replace("\"id\"", "\"port\"");
            assertThat(post("/v1/callers", calls).statusCode())
                    .as("seed %d: %s", seed, calls)
                    .isIn(200, 400);
        }
        ask(aggregator.productionAddress("test"));
        assertThat(ask(aggregator.debugAddress("test"))).isEqualTo("1");
    }

    private static long now() {
        return System.nanoTime();
    }

    private int tell(String exchanges) throws Exception {
        return post(("{\"run\":\"a\",\"clock\":\"%s\",\"sent\":%d,\"roundTrip\":0,\"toldUntil\":%d,"
                        + "\"completeUntil\":%d,\"exchanges\":[%s]}")
                .formatted(ClockId.read(), now(), now(), now(), exchanges));
    }

    private int rerun(String trace, long exchange) throws Exception {
        return reruns("{\"trace\":\"" + trace + "\",\"exchange\":" + exchange + "}");
    }

    private int reruns(String reruns) throws Exception {
        return post(("{\"run\":\"a\",\"clock\":\"%s\",\"sent\":%d,\"roundTrip\":0,\"toldUntil\":%d,"
                        + "\"completeUntil\":%d,\"exchanges\":[],\"reruns\":[%s]}")
                .formatted(ClockId.read(), now(), now(), now(), reruns));
    }

    private HttpResponse<String> callers(String calls) throws Exception {
        HttpResponse<String> reply = post(
                "/v1/callers",
                "{\"run\":\"a\",\"clock\":\"%s\",\"sent\":%d,\"roundTrip\":0,\"toldUntil\":%d,\"calls\":[%s]}"
                        .formatted(ClockId.read(), now(), now(), calls));
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    private static String debugTrace(int exchange) {
        return "%032x".formatted(exchange + 1);
    }

    private int post(String body) throws Exception {
        return post("/v1/inbound", body).statusCode();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private int forgotten(String olderThanMillis) throws Exception {
        HttpResponse<String> reply = post("/v1/forget", "{\"olderThanMillis\":" + olderThanMillis + "}");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return new ObjectMapper().readTree(reply.body()).get("forgotten").asInt();
    }

    private JsonNode status() throws Exception {
        return new ObjectMapper().readTree(TestAggregator.status(aggregator));
    }

    private String ask(SocketAddress address, String trace) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) address).getPort() + "/next");
        return client.send(
                        HttpRequest.newBuilder(uri)
                                .header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private String ask(SocketAddress address) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) address).getPort() + "/next");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
