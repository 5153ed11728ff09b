package dev.understudy.example.demo.report;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
class InvestigationTest {
    private static final String GUILTY =
            "{\"method\":\"dev.understudy.example.orders.ordering.Discounts#lineTotal\",\"predicate\":\"threw\"}";

    private final AtomicInteger failing = new AtomicInteger();
    private HttpServer sidecar;
    private ControlPort port;

    @BeforeEach
    void serve() throws IOException {
        sidecar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/v1/orders/points", () -> "{\"added\":\"p1\",\"points\":[{\"id\":\"p1\",\"agents\":[\"debug\"]}]}");
        answer("/v1/hits", () -> "{\"hits\":[{\"text\":\"10 pieces\"}]}");
        answer(
                "/v1/suspects",
                () -> "{\"exchanges\":{\"failing\":" + failing + "},\"suspects\":["
                        + (failing.get() < Investigation.ENOUGH ? "" : GUILTY) + "]}");
        sidecar.start();
        port = new ControlPort("http://127.0.0.1:" + sidecar.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        sidecar.stop(0);
    }

    @Test
    void failingRequestsThatTheAgentHadNoTimeFor_areMadeUpFor() throws Exception {
        failing.set(Investigation.ENOUGH - 3);

        Defect defect = new Investigation(port, failing::incrementAndGet, Duration.ZERO).run();

        assertThat(defect.isFound()).isTrue();
        assertThat(failing).as("the last is the log point's").hasValue(Investigation.ENOUGH + 1);
    }

    @Test
    void enoughFailingRequests_needNoMoreThanTheLogPoints() throws Exception {
        failing.set(Investigation.ENOUGH);

        Defect defect = new Investigation(port, failing::incrementAndGet, Duration.ZERO).run();

        assertThat(defect.isFound()).isTrue();
        assertThat(failing).hasValue(Investigation.ENOUGH + 1);
    }

    private void answer(String path, Text text) {
        sidecar.createContext(path, request -> {
            byte[] body = text.now().getBytes(StandardCharsets.UTF_8);
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
    }

    private interface Text {
        String now();
    }
}
