package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.ForeignClient.Asked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * HTTP/1.1 as clients that others wrote speak it: what each is told on the debug port is what it was told by the
 * server.
 */
@Tag("process")
class HttpClientsTest {
    private static final List<Asked> ASKED = List.of(
            Asked.get("/a?b=1"),
            Asked.get("/chunked"),
            Asked.get("/gzip").with("Accept", "text/html"),
            Asked.get("/empty"),
            Asked.get("/same").with("If-None-Match", "\"v1\""),
            Asked.get("/moved"),
            Asked.get("/missing"),
            Asked.get("/closing"),
            Asked.get("/large"),
            new Asked("HEAD", "/a", Map.of(), "", false, false),
            new Asked("DELETE", "/a", Map.of(), "", false, false),
            Asked.post("/post", "some text"),
            Asked.post("/post", "text in pieces").inChunks(),
            Asked.post("/post", "text that was asked for").expecting(),
            Asked.get("/a?b=1"));

    private final AtomicInteger served = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 30s");
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void client_isToldTheSameOnTheDebugPort(ForeignClient client) throws Exception {
        boolean program = client.name().startsWith("CURL");
        boolean there = !program || Files.isExecutable(Path.of("/usr/bin/curl"));
        Assumptions.assumeTrue(there || "required".equals(System.getProperty("understudy.programs")), "no curl");

        for (Asked asked : ASKED) {
            if (asked.chunked() && client == ForeignClient.CURL_WITH_HTTP_1_0) {
                continue; // which is no HTTP/1.0
            }
            String real = client.ask(url(aggregator.productionAddress("test").getPort(), asked), asked);
            int until = served.get();
            String replayed =
                    client.ask(url(((InetSocketAddress) aggregator.debugAddress("test")).getPort(), asked), asked);

            assertThat(replayed).as("%s %s", client, asked).isEqualTo(real);
            assertThat(real)
                    .as("%s %s", client, asked)
                    .doesNotContain("No recorded reply")
                    .hasSizeGreaterThan(10);
            assertThat(served).as("requests at the server").hasValue(until);
        }
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0", "\"unused\":0", "\"unframed\":{}");
    }

    private static String url(int port, Asked asked) {
        return "http://127.0.0.1:" + port + asked.path();
    }

    private void serve(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String text = served.incrementAndGet() + " " + exchange.getRequestMethod() + " " + exchange.getRequestURI()
                + " " + new String(sent, StandardCharsets.UTF_8);
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        switch (exchange.getRequestURI().getPath()) {
            case "/chunked" -> {
                exchange.sendResponseHeaders(200, 0);
                for (byte one : body) {
                    exchange.getResponseBody().write(one);
                    exchange.getResponseBody().flush();
                }
            }
            case "/gzip" -> {
                ByteArrayOutputStream packed = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                    gzip.write(text.repeat(20).getBytes(StandardCharsets.UTF_8));
                }
                exchange.getResponseHeaders().add("Content-Encoding", "gzip");
                exchange.getResponseHeaders().add("Vary", "Accept-Encoding");
                answer(exchange, 200, packed.toByteArray());
            }
            case "/empty" -> exchange.sendResponseHeaders(204, -1);
            case "/same" -> {
                exchange.getResponseHeaders().add("ETag", "\"v1\"");
                exchange.sendResponseHeaders(304, -1);
            }
            case "/moved" -> {
                exchange.getResponseHeaders().add("Location", "/target");
                answer(exchange, 302, body);
            }
            case "/missing" -> answer(exchange, 404, body);
            case "/closing" -> {
                exchange.getResponseHeaders().add("Connection", "close");
                answer(exchange, 200, body);
            }
            case "/large" -> answer(exchange, 200, text.repeat(50_000).getBytes(StandardCharsets.UTF_8));
            default -> {
                exchange.getResponseHeaders().add("Set-Cookie", "id=" + served.get());
                exchange.getResponseHeaders().add("Set-Cookie", "other=1");
                if (head) {
                    exchange.getResponseHeaders().add("Content-Length", "123");
                    exchange.sendResponseHeaders(200, -1);
                } else {
                    answer(exchange, 200, body);
                }
            }
        }
        exchange.close();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
