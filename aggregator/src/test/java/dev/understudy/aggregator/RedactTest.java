package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Redaction;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What isn't shown of calls because the operator named it. */
class RedactTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @Test
    void namedParameters_areShownNowhere_andCallsFitAsBefore() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", request -> {
            byte[] body = request.getRequestURI().getQuery().getBytes(StandardCharsets.UTF_8);
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
        server.start();
        try (Aggregator aggregator = Aggregator.open(config(server.getAddress().getPort()))) {
            SocketAddress production = aggregator.productionAddress("test");
            SocketAddress debug = aggregator.debugAddress("test");
            assertThat(get(production, "/a?diagnosis=influenza&page=1")).isEqualTo("diagnosis=influenza&page=1");
            assertThat(get(production, "/a?diagnosis=bronchitis&page=1")).isEqualTo("diagnosis=bronchitis&page=1");
            TestAggregator.awaitUnused(aggregator, 2);

            assertThat(TestAggregator.get(aggregator, "/v1/recorded"))
                    .contains("GET /a?diagnosis=[masked]&page=1")
                    .doesNotContain("influenza", "bronchitis");
            assertThat(get(debug, "/a?diagnosis=bronchitis&page=1")).isEqualTo("diagnosis=bronchitis&page=1");
            assertThat(get(debug, "/a?diagnosis=measles&page=2&by=EMP-471100"))
                    .contains("[masked]&page=2&by=[masked]")
                    .doesNotContain("measles", "4711");
            for (String path : List.of("/v1/matches", "/v1/misses", "/v1/status")) {
                assertThat(TestAggregator.get(aggregator, path))
                        .as(path)
                        .doesNotContain("influenza", "bronchitis", "measles", "4711");
            }
            assertThat(TestAggregator.get(aggregator, "/v1/matches")).contains("GET /a?diagnosis=[masked]&page=1");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void formsAreEqualAsBefore_whateverTheyShow() {
        Form form = Form.of("GET a", "GET /a?diagnosis=flu").asRepeatable();
        Form shown = new Redaction(text -> "other").of(form);

        assertThat(shown).isEqualTo(form);
        assertThat(shown.text()).isEqualTo("other");
        assertThat(shown.repeatable()).isTrue();
        assertThat(Redaction.NONE.of(form)).isSameAs(form);
    }

    private AggregatorConfig config(int upstream) throws Exception {
        Path file = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: test
                    protocol: http
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:%d }
                    debug: { listen: 127.0.0.1:0 }
                    wait: 1ms
                control: { listen: 127.0.0.1:0, anonymous: admin }
                redact: [diagnosis]
                redact-values: ["EMP-[0-9]{6}"]
                """.formatted(upstream));
        return AggregatorConfig.read(file, Map.of(), List.of());
    }

    private String get(SocketAddress to, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) to).getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
