package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code miss: live}: reads of the debug JVM reach real servers where nothing recorded fits, and nothing else does. */
@Tag("process")
class LiveUpstreamTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private @Nullable Aggregator opened;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            await(exchange.getRequestURI().getPath());
            byte[] body = ("real " + exchange.getRequestURI()).getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders()
                    .add("X-Seen", String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            boolean isChunked = exchange.getRequestURI().getPath().equals("/chunks");
            exchange.sendResponseHeaders(200, isHead ? -1 : isChunked ? 0 : body.length);
            exchange.getResponseBody().write(isHead ? new byte[0] : body);
            atOnce.decrementAndGet();
            exchange.close();
        });
        server.start();
    }

    private void await(String path) {
        try {
            if (path.equals("/slow")) {
                released.await();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        released.countDown();
        if (opened != null) {
            opened.close();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void reads_reachTheRealServer_whereNothingRecordedFits() throws Exception {
        openHttp();
        assertThat(ask(aggregator().productionAddress("test"), "/a", "GET", "").body())
                .isEqualTo("real /a");
        TestAggregator.awaitUnused(aggregator(), 1);
        asked.clear();

        assertThat(ask(debug(), "/a", "GET", "").body()).isEqualTo("real /a");
        assertThat(asked).as("recorded").isEmpty();
        HttpResponse<String> live = ask(debug(), "/b?x=1", "GET", "");
        assertThat(live.body()).isEqualTo("real /b?x=1");
        assertThat(live.headers().firstValue("x-seen")).as("its headers arrive").contains("k");
        assertThat(ask(debug(), "/chunks", "GET", "").body()).isEqualTo("real /chunks");
        assertThat(ask(debug(), "/b", "HEAD", "").statusCode()).isEqualTo(200);
        assertThat(ask(debug(), "/b", "OPTIONS", "").statusCode()).isEqualTo(200);

        assertThat(asked).containsExactly("GET /b?x=1", "GET /chunks", "HEAD /b", "OPTIONS /b");
        assertThat(counts("/replayed")).isEqualTo(1);
        assertThat(counts("/live/answered")).isEqualTo(4);
        assertThat(counts("/missed")).isZero();
        assertThat(counts("/connections")).as("the debug JVM's own stays open").isEqualTo(1);
        assertThat(JSON.readTree(TestAggregator.get(aggregator(), "/v1/matches?outcome=LIVE"))
                        .path("matches"))
                .hasSize(4);
        assertThat(TestAggregator.get(aggregator(), "/metrics"))
                .contains("understudy_aggregator_debug_live_total{upstream=\"test\"} 4");
        assertThat(aggregator().fidelity()).endsWith("0 missed, 4 read live");
    }

    @Test
    void whatMayWrite_isAMiss_countedAndNamed() throws Exception {
        openHttp();

        HttpResponse<String> refused = ask(debug(), "/orders", "POST", "{}");
        assertThat(refused.statusCode()).isEqualTo(502);
        assertThat(refused.body()).contains("it isn't known to only read, and wasn't let through");
        assertThat(ask(debug(), "/orders/7", "DELETE", "").statusCode()).isEqualTo(502);
        assertThat(ask(debug(), "/search", "GET", "a body").statusCode()).isEqualTo(502);
        HttpRequest disguised = TestAggregator.request(debug(), "/orders/7", "GET", "")
                .header("X-HTTP-Method-Override", "DELETE")
                .build();
        assertThat(client.send(disguised, BodyHandlers.ofString()).statusCode()).isEqualTo(502);

        assertThat(asked).as("nothing reached the server").isEmpty();
        assertThat(counts("/missed")).isEqualTo(4);
        assertThat(counts("/live/refused")).isEqualTo(4);
        assertThat(TestAggregator.get(aggregator(), "/v1/misses")).contains("POST /orders", "wasn't let through");
    }

    @Test
    void realServer_hasFourConnectionsAtMost_andWhatFindsNoPlaceIsAMiss() throws Exception {
        openHttp();
        List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
        for (int n = 0; n < 120; n++) {
            replies.add(client.sendAsync(
                    TestAggregator.request(debug(), "/slow", "GET", "").build(), BodyHandlers.ofString()));
        }
        Eventually.await(() -> counts("/live/failed") > 0 && asked.size() == 4);

        released.countDown();

        int answered = 0;
        for (CompletableFuture<HttpResponse<String>> reply : replies) {
            answered += reply.get().statusCode() == 200 ? 1 : 0;
        }
        assertThat(mostAtOnce).hasValue(4);
        assertThat(answered).isPositive();
        assertThat(counts("/live/answered")).isEqualTo(answered);
        assertThat(counts("/live/failed")).isEqualTo(120 - answered);
    }

    @Test
    void serverThatIsGone_isAMiss() throws Exception {
        openHttp();
        server.stop(0);

        HttpResponse<String> missed = ask(debug(), "/a", "GET", "");

        assertThat(missed.statusCode()).isEqualTo(502);
        assertThat(missed.body()).contains("the live upstream didn't answer: it can't be reached");
        assertThat(counts("/live/failed")).isEqualTo(1);
    }

    @Test
    void redisReads_areMadeAsTheDebugConnectionWould_andWritesAreNotLetThrough() throws Exception {
        try (RedisProgram redis = RedisProgram.start();
                Jedis real = new Jedis("127.0.0.1", redis.port())) {
            real.set("a", "nought");
            real.select(1);
            real.set("a", "one");
            real.hset("h", "f", "v");
            real.configSet("requirepass", "secret");
            opened = TestAggregator.open("redis", redis.port(), "wait: 1ms", "miss: live");
            try (Jedis debug = new Jedis("127.0.0.1", ((InetSocketAddress) debug()).getPort())) {
                assertThatThrownBy(() -> debug.get("a"))
                        .as("without a log-in, as from the server itself")
                        .hasMessageContaining("NOAUTH");
                debug.auth("secret");
                assertThat(debug.get("a")).isEqualTo("nought");
                debug.select(1);
                assertThat(debug.get("a")).isEqualTo("one");
                assertThat(debug.hgetAll("h")).containsEntry("f", "v");
                assertThat(debug.get("none")).isNull();

                assertThatThrownBy(() -> debug.set("a", "two")).hasMessageContaining("wasn't let through");
                assertThatThrownBy(() -> debug.keys("*")).hasMessageContaining("wasn't let through");
                assertThatThrownBy(() -> debug.eval("return 1")).hasMessageContaining("wasn't let through");
                debug.auth("wrong");
                assertThatThrownBy(() -> debug.get("a")).hasMessageContaining("the real server refused the log-in");
            }
            assertThat(real.get("a")).isEqualTo("one");
            assertThat(counts("/live/answered")).isEqualTo(5);
            assertThat(counts("/live/refused")).isEqualTo(3);
            assertThat(counts("/live/failed")).isEqualTo(1);
        }
    }

    @Test
    void upstreams_whoseReadsAreNotKnown_cannotBeLive() {
        assertThatThrownBy(() -> TestAggregator.open("postgres", 1, "miss: live"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a statement that reads can call what writes");
        assertThatThrownBy(() -> TestAggregator.open("mysql", 1, "calls: [{ form: 'SELECT*', miss: live }]"))
                .hasMessageContaining("a statement that reads can call what writes");
        assertThatThrownBy(() -> TestAggregator.open("tcp", 1, "miss: live"))
                .hasMessageContaining("nobody knows what a read is over tcp");
    }

    private Aggregator aggregator() {
        return Objects.requireNonNull(opened);
    }

    private void openHttp() throws IOException {
        opened = TestAggregator.open("http", server.getAddress().getPort(), "wait: 1ms", "miss: live");
    }

    private long counts(String pointer) throws IOException {
        return TestAggregator.debugCount(aggregator(), pointer);
    }

    private SocketAddress debug() {
        return aggregator().debugAddress("test");
    }

    private HttpResponse<String> ask(SocketAddress at, String path, String method, String body) throws Exception {
        return client.send(TestAggregator.request(at, path, method, body).build(), BodyHandlers.ofString());
    }
}
