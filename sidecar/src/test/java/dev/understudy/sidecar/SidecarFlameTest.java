package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an agent tells of stacks, from the traces it was told to the document and the meters. */
final class SidecarFlameTest {
    @Test
    void stacks_areOfTheRouteOfTheirExchange_besideHowLongBothSidesTake() throws Exception {
        Queue<String> spans = new ConcurrentLinkedQueue<>();
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    spans.add(
                            exchange.getRequestHeaders().getFirst("traceparent").substring(36, 52));
                    HttpService.reply(exchange, 200, "{}");
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            assertThat(post(stage, "/v1/stacks", "{\"names\":[],\"stacks\":[]}").statusCode())
                    .isEqualTo(200);
            for (int i = 0; i < 12; i++) {
                stage.get("/orders/" + i);
            }
            stage.awaitStatus("12 verdicts", s -> Stage.total(s) == 12);
            String told = spans.stream()
                    .map(span -> "{\"span\":\"" + span + "\",\"frames\":[0,1]}")
                    .collect(Collectors.joining(","));
            assertThat(post(
                                    stage,
                                    "/v1/stacks",
                                    "{\"names\":[\"run\",\"price\"],\"stacks\":[" + told + ",{\"frames\":[0]}]}")
                            .body())
                    .contains("\"taken\":13");

            JsonNode flame = stage.control("/v1/flame");
            JsonNode route = flame.at("/routes/0");
            assertThat(route.get("route").asText()).isEqualTo("GET /orders/{n}");
            assertThat(route.get("listener").asText()).isEqualTo("orders");
            assertThat(route.get("samples").asInt()).isEqualTo(12);
            assertThat(route.get("nodes")).hasSize(6);
            assertThat(total(route.get("productionMicros"))).isEqualTo(12);
            assertThat(total(route.get("debugMicros"))).isEqualTo(12);
            assertThat(flame.at("/routes/1/route").asText()).isEqualTo("(no route known)");
            assertThat(stage.control("/v1/flame?listener=orders").get("routes")).hasSize(1);
            assertThat(stage.control("/v1/flame?route=GET%20/").get("routes")).isEmpty();
            for (String wrong : new String[] {"{}", "[]", "x", "{\"names\":[],\"stacks\":[{\"frames\":[0]}]}"}) {
                assertThat(post(stage, "/v1/stacks", wrong).statusCode())
                        .as(wrong)
                        .isEqualTo(400);
            }

            post(stage, "/v1/agent", "{\"name\":\"a\",\"budget\":0.15}");
            assertThat(stage.controlText("/metrics").body()).contains("understudy_agent_budget{agent=\"a\"} 0.15");
        }
    }

    private static long total(JsonNode counts) {
        long total = 0;
        for (JsonNode count : counts) {
            total += count.asLong();
        }
        return total;
    }

    private static HttpResponse<String> post(Stage stage, String path, String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return stage.client.send(request, BodyHandlers.ofString());
    }
}
