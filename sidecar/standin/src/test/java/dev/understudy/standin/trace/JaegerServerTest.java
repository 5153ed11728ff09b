package dev.understudy.standin.trace;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.standin.graph.GraphBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Against an HTTP server that answers as Jaeger does. */
final class JaegerServerTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer http;
    private String address = "";

    JaegerServerTest() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        http.start();
        address = "http://127.0.0.1:" + http.getAddress().getPort();
        answer("/api/services", 200, "{\"data\":[\"shop\",\"a b&c\"],\"total\":2}");
        answer("/api/traces", 200, TraceText.shop(4).jaeger());
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private void answer(String path, int status, String body) {
        http.createContext(path, exchange -> {
            asked.add(exchange.getRequestURI().toString());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        });
    }

    @Test
    void everyService_isAskedFor_orTheOneThatIsNamed() throws IOException {
        TraceStore store = new TraceStore();
        new JaegerServer(address + "/").read(null, 7, store);

        assertThat(asked)
                .containsExactly(
                        "/api/services", "/api/traces?service=shop&limit=7", "/api/traces?service=a+b%26c&limit=7");
        assertThat(GraphBuilder.of(store, 1).traces()).isEqualTo(4);
        asked.clear();
        new JaegerServer(address).read("shop", 1, new TraceStore());
        assertThat(asked).containsExactly("/api/traces?service=shop&limit=1");
    }

    @Test
    void largeReply_isRefused() {
        assertThatThrownBy(() -> new JaegerServer(address, 1_000).read("shop", 1, new TraceStore()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(address)
                .hasMessageContaining("more than 1000 bytes")
                .hasMessageContaining("--limit");
    }

    @Test
    void otherAnswers_areNamedWithTheirAddress() {
        answer("/not/api", 404, "");
        answer("/page/api", 200, "<html>");
        answer("/none/api", 200, "{\"data\":null}");

        assertThatThrownBy(() -> new JaegerServer(address + "/not").read(null, 1, new TraceStore()))
                .hasMessageContaining(address + "/not/api/services: status 404");
        assertThatThrownBy(() -> new JaegerServer(address + "/page").read("x", 1, new TraceStore()))
                .hasMessageContaining("/page/api/traces?service=x&limit=1:1: isn't JSON");
        assertThatThrownBy(() -> new JaegerServer(address + "/none").read(null, 1, new TraceStore()))
                .hasMessageContaining("no traces");
        for (String wrong : List.of("http://", "http://a b", "http://host/?x", "http:///x")) {
            assertThatThrownBy(() -> new JaegerServer(wrong)).hasMessageContaining("no address");
        }
    }

    @Test
    void nobodyThere_isSaid() {
        http.stop(0);

        assertThatThrownBy(() -> new JaegerServer(address).read(null, 1, new TraceStore()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(address + "/api/services: ");
    }
}
