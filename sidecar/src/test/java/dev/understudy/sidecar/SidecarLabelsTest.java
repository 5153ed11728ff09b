package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An exchange through a lane is labelled by the statuses of both replies. */
final class SidecarLabelsTest {
    private static final int EACH = 12;

    private final Queue<String> spans = new ConcurrentLinkedQueue<>();

    @Test
    void anExchangeThatOnlyProductionFailed_blamesNobody_oneThatOnlyDebugFailedIsFailing() throws Exception {
        try (HttpService production = failing("/production");
                HttpService debug = failing("/debug");
                Stage stage = Stage.open(production.address(), debug.address())) {
            observe(stage, "/both-work", true, 1);
            observe(stage, "/production", true, 2);
            JsonNode exchanges = stage.control("/v1/suspects").path("exchanges");
            assertThat(exchanges.path("successful").asInt()).as("%s", exchanges).isEqualTo(1);
            assertThat(exchanges.path("unknown").asInt()).as("%s", exchanges).isEqualTo(1);
            assertThat(exchanges.path("failing").asInt())
                    .as("production said 500, debug 200: %s", exchanges)
                    .isZero();

            observe(stage, "/debug", true, 3);
            JsonNode found = stage.control("/v1/suspects");
            assertThat(found.at("/exchanges/failing").asInt()).as("%s", found).isEqualTo(1);
            assertThat(found.at("/failingBy/STATUS").asInt()).as("%s", found).isEqualTo(1);
        }
    }

    @Test
    void suspectsExample_showsNoSecretOfItsRequest() throws Exception {
        String secret = "/debug?access_token=hunter2&page=7";
        try (HttpService production = failing("/none");
                HttpService debug = failing(secret);
                Stage stage = Stage.open(production.address(), debug.address())) {
            for (int n = 1; n <= EACH; n++) {
                observe(stage, secret, true, n);
            }
            for (int n = 1; n <= EACH; n++) {
                observe(stage, "/fine/" + n, false, EACH + n);
            }

            JsonNode found = stage.control("/v1/suspects");
            assertThat(found.at("/suspects/0/example/request").asText())
                    .as("%s", found)
                    .isEqualTo("GET /debug?access_token=[masked]&page=7");
            assertThat(found.toString()).doesNotContain("hunter2");
        }
    }

    /** Asks, and has an agent tell of it once it has its verdict, which is one of so many. */
    private void observe(Stage stage, String path, boolean called, int verdicts) throws Exception {
        stage.get(path);
        stage.awaitStatus(verdicts + " verdicts", status -> Stage.total(status) == verdicts);
        assertThat(spans).hasSize(1);
        stage.observed(spans.remove(), called);
    }

    /** Says 500 to that path; keeps the spans that a debug JVM is told. */
    private HttpService failing(String path) throws IOException {
        return HttpService.answering((asked, exchange) -> {
            String traceparent = exchange.getRequestHeaders().getFirst("traceparent");
            if (traceparent != null) {
                spans.add(traceparent.substring(36, 52));
            }
            HttpService.reply(exchange, asked.target().equals(path) ? 500 : 200, "{}");
        });
    }
}
