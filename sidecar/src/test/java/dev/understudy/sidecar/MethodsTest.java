package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.OpenApi;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code GET /v1/methods}: finding woven methods by a part of their names. */
final class MethodsTest {
    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{}");
        debug = HttpService.saying("{}");
        stage = Stage.open(production.address(), debug.address());
        report(
                "a",
                "{\"method\":\"shop.Cart#total\",\"hitsPerSecond\":3,\"rate\":0.5,\"meanMicros\":7,\"ordered\":\"armed\"}");
        report(
                "b",
                IntStream.range(0, 300)
                        .mapToObj(n -> "{\"method\":\"shop.Item" + n + "#price\",\"hitsPerSecond\":" + n + "}")
                        .collect(Collectors.joining(",")));
    }

    @AfterEach
    void close() {
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void methods_areFoundInAllAgents_byPartsOfTheirNames() throws Exception {
        JsonNode cart = read("/v1/methods?text=CART%23");

        assertThat(cart.path("found").asInt()).isEqualTo(1);
        assertThat(cart.at("/methods/0").toString())
                .contains("\"agent\":\"a\"", "shop.Cart#total", "\"state\":\"armed\"", "\"sampled\":0.5");
        assertThat(cart.path("agents").findValuesAsText("name")).containsExactly("a", "b");
        assertThat(read("/v1/methods?text=nowhere").path("methods")).isEmpty();
    }

    @Test
    void methodsWithMostCalls_comeFirst_andNoMoreThanTheLimit() throws Exception {
        JsonNode all = read("/v1/methods");

        assertThat(all.path("found").asInt()).isEqualTo(301);
        assertThat(all.path("methods")).hasSize(50);
        assertThat(all.at("/methods/0/method").asText()).isEqualTo("shop.Item299#price");
        assertThat(read("/v1/methods?limit=200").path("methods")).hasSize(200);
        assertThat(stage.controlText("/v1/methods?limit=201").body()).contains("limit: 201 (expected: 1 to 200)");
        assertThat(stage.controlText("/v1/methods?text=" + "x".repeat(201)).body())
                .contains("text: 201 characters (expected: at most 200)");
        new OpenApi(stage.control("/v1/openapi.json"))
                .assertFits("/components/schemas/Methods", all.toString(), "the methods");
    }

    private JsonNode read(String path) throws Exception {
        return new ObjectMapper().readTree(stage.controlText(path).body());
    }

    private void report(String agent, String methods) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri("/v1/agent"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"name\":\"" + agent + "\",\"probes\":400,\"methods\":[" + methods + "]}"))
                .build();
        assertThat(stage.client.send(request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }
}
