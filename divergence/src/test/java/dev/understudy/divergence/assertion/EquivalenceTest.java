package dev.understudy.divergence.assertion;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.ValueClass;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.understudy.divergence.assertion.Equivalence.assertThat;
import static dev.understudy.divergence.assertion.Equivalence.body;
import static dev.understudy.divergence.assertion.Equivalence.json;
import static dev.understudy.divergence.assertion.Equivalence.reply;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class EquivalenceTest {
    private static final List<NoiseRule> VISITS =
            List.of(new NoiseRule("GET /orders/{n}", "body.visits", ValueClass.NUMBER));

    @Test
    void orderOfMembers_andBlanks_meanNothing() {
        assertThat(json("{\"id\":7,\"tags\":[1,2]}")).isEquivalentTo(json("{ \"tags\": [1, 2], \"id\": 7 }"));
        assertThat(body("application/xml", "<a x='1' y='2'/>"))
                .isEquivalentTo(body("application/xml", "<a y=\"2\" x=\"1\"></a>"));
    }

    @Test
    void whatDiffers_isSaid_withItsPlace() {
        assertThatThrownBy(
                        () -> assertThat(json("{\"cents\":1249,\"new\":1}")).isEquivalentTo(json("{\"cents\":1250}")))
                .isInstanceOf(AssertionError.class)
                .hasMessage("expected an equivalent reply, but it is DIFFERENT"
                        + "\n  VALUE body.cents: expected 1250, but was 1249"
                        + "\n  EXTRA body.new: expected null, but was 1");
    }

    @Test
    void rules_allowWhatTheyName() {
        assertThat(json("{\"visits\":1}")).to("GET /orders/7").isEquivalentTo(json("{\"visits\":2}"), VISITS);
        assertThatThrownBy(() -> assertThat(json("{\"visits\":1}"))
                        .to("GET /orders")
                        .isEquivalentTo(json("{\"visits\":2}"), VISITS))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThat(json("{\"visits\":\"never\"}"))
                        .to("GET /orders/7")
                        .isEquivalentTo(json("{\"visits\":2}"), VISITS))
                .hasMessageContaining("TYPE body.visits");
    }

    @Test
    void differsFrom_failsOnWhatMeansTheSame() {
        assertThat(json("[1,2]")).differsFrom(json("[2,1]"));
        assertThatThrownBy(() -> assertThat(json("[1]")).differsFrom(json("[ 1 ]")))
                .hasMessage("expected another reply, but it is EQUIVALENT");
    }

    @Test
    void replies_ofARealServer_areCompared() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] text = exchange.getRequestURI().getPath().equals("/b") ? bytes("{\"n\":2}") : bytes("{\"n\":1}");
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        try {
            assertThat(reply(get(server, "/a"))).isEquivalentTo(reply(get(server, "/a2")));
            assertThat(reply(get(server, "/b"))).differsFrom(reply(get(server, "/a")));
        } finally {
            server.stop(0);
        }
    }

    private static HttpResponse<byte[]> get(HttpServer server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
