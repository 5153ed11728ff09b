package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an agent tells of its own cost, from the traces it was told to the report. */
final class SidecarOverheadTest {
    @Tag("slow")
    @Test
    void report_tellsWhatInstrumentationTook_ofEachRoute() throws Exception {
        Queue<String> spans = new ConcurrentLinkedQueue<>();
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    spans.add(
                            exchange.getRequestHeaders().getFirst("traceparent").substring(36, 52));
                    HttpService.reply(exchange, 200, "{}");
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            assertThat(post(stage, "{\"exchanges\":[]}").statusCode()).isEqualTo(200);
            assertThat(post(stage, "{\"name\":\"a\",\"exchanges\":[{\"span\":\"0123456789abcdef\",\"nanos\":5}]}")
                            .body())
                    .contains("\"taken\":1");
            for (int i = 0; i < 30; i++) {
                stage.get("/orders/" + i);
            }
            stage.awaitStatus("30 verdicts", s -> Stage.total(s) == 30);
            String told = spans.stream()
                    .map(span -> "{\"span\":\"" + span + "\",\"nanos\":7000}")
                    .collect(Collectors.joining(","));
            post(stage, "{\"exchanges\":[" + told + "]}");

            JsonNode overhead = stage.control("/v1/report").at("/copies/0/routes/0/overhead");
            assertThat(overhead.get("measured").asInt()).isEqualTo(30);
            assertThat(overhead.get("micros").asDouble()).isEqualTo(7);
            for (String wrong : new String[] {
                "{}",
                "{\"exchanges\":[{}]}",
                "{\"exchanges\":[{\"span\":\"0123456789abcdef\",\"nanos\":-1}]}",
                "[]",
                "x"
            }) {
                assertThat(post(stage, wrong).statusCode()).as(wrong).isEqualTo(400);
            }
        }
    }

    private static HttpResponse<String> post(Stage stage, String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri("/v1/overheads"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return stage.client.send(request, BodyHandlers.ofString());
    }
}
