package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.report.Report;
import dev.understudy.sidecar.report.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the control port shows of single exchanges and of what they have in common. */
final class ExchangesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "hunter2-and-more";

    private PlainServer production;
    private PlainServer debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = PlainServer.answering(target -> PlainServer.json(
                target.startsWith("/gone") ? 404 : 200,
                "{\"total\":17,\"password\":\"" + SECRET + "\",\"session\":{\"id\":\"" + SECRET + "\"}}"));
        debug = PlainServer.answering(target -> PlainServer.json(
                target.startsWith("/broken") ? 500 : target.startsWith("/gone") ? 404 : 200,
                "{\"total\":" + (target.startsWith("/same") || target.startsWith("/gone") ? 17 : 18)
                        + ",\"password\":\"" + SECRET + "\",\"session\":{\"id\":\"" + SECRET + "\"}}"));
        stage = Stage.open(production.address(), debug.address());
        for (String path : List.of("/same/1", "/orders/1", "/orders/2", "/broken/1", "/gone/1")) {
            stage.get(path);
        }
        stage.awaitStatus("verdicts", s -> Stage.total(s) == 5);
    }

    @AfterEach
    void close() throws Exception {
        stage.close();
        debug.close();
        production.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                        | GET /gone/1, GET /broken/1, GET /orders/2, GET /orders/1, GET /same/1",
                "kind=SAME                 | GET /gone/1, GET /same/1",
                "kind=same,DIFFERENT&text=1| GET /gone/1, GET /broken/1, GET /orders/2, GET /orders/1, GET /same/1",
                "kind=DIFFERENT            | GET /broken/1, GET /orders/2, GET /orders/1",
                "route=GET%20/orders/{n}   | GET /orders/2, GET /orders/1",
                "status=5xx                | GET /broken/1",
                "status=404                | GET /gone/1",
                "failing=true              | GET /broken/1, GET /orders/2, GET /orders/1",
                "failing=false&limit=1     | GET /gone/1",
                "status=differs            | GET /broken/1",
                "text=ORDERS/2             | GET /orders/2",
                "text=body.total           | GET /broken/1, GET /orders/2, GET /orders/1",
                "since=99999999999999      | ''",
                "until=1                   | ''",
                "listener=nobody           | ''",
                "debug=nobody              | ''",
                "limit=2                   | GET /gone/1, GET /broken/1",
                "after=3                   | GET /gone/1, GET /broken/1",
                "before=3                  | GET /orders/1, GET /same/1",
            })
    void filter_chooses(String query, String expected) {
        assertThat(requests("/v1/exchanges?" + query.replace("{", "%7B").replace("}", "%7D")))
                .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(", ", -1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"kind=ODD", "status=9", "failing=x", "since=x", "since=-1", "limit=501", "limit=0", "before=1e3"
            })
    void malformedFilter_isRefused_byName(String query) {
        var refused = stage.controlText("/v1/exchanges?" + query);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains(query.substring(0, query.indexOf('=')) + ": ", "expected: ");
    }

    @Test
    void longText_isRefused() {
        assertThat(stage.controlText("/v1/exchanges?text=" + "x".repeat(201)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void oneExchange_hasBothReplies_withSecretsMasked() {
        JsonNode row = stage.control("/v1/exchanges?text=orders/2").at("/exchanges/0");
        String text = stage.controlText("/v1/exchanges/" + row.get("exchange")).body();
        JsonNode one = stage.control("/v1/exchanges/" + row.get("exchange"));

        assertThat(text).doesNotContain(SECRET);
        assertThat(one.at("/production/body").asText()).contains("\"total\" : 17", "[masked]");
        assertThat(one.at("/copy/body").asText()).contains("\"total\" : 18", "[masked]");
        assertThat(one.at("/production/headers").size()).isPositive();
        assertThat(one.at("/differences/0/path").asText()).isEqualTo("body.total");
        assertThat(one.at("/productionStatus").asInt()).isEqualTo(200);
        assertThat(one.at("/at").asLong()).isBetween(System.currentTimeMillis() - 600_000, System.currentTimeMillis());
        assertThat(one.at("/fidelity").asText()).contains("faithful");
        assertThat(one.at("/reproduce/0").asText()).startsWith("curl ").contains("/orders/2");
    }

    @ParameterizedTest
    @CsvSource({"broken/1, STATUS, status from 500 on", "orders/1, DIFFERENT, the replies differ"})
    void failingExchange_saysByWhichRule(String text, String by, String rule) {
        JsonNode row = stage.control("/v1/exchanges?text=" + text).at("/exchanges/0");

        assertThat(row.at("/failing/by").asText()).isEqualTo(by);
        assertThat(row.at("/failing/rule").asText()).isEqualTo(rule);
        assertThat(stage.control("/v1/exchanges/" + row.get("exchange")).get("failing"))
                .isEqualTo(row.get("failing"));
    }

    @Test
    void equalExchange_fails_whereARuleSaysSo() throws Exception {
        assertThat(stage.control("/v1/exchanges?text=gone/1")
                        .at("/exchanges/0/failing")
                        .isNull())
                .isTrue();
        stage.order("/v1/labels", "{\"also\":[\"404 GET /gone/*\"]}");
        stage.get("/gone/2");
        stage.awaitStatus("verdicts", s -> Stage.total(s) == 6);

        JsonNode failing = stage.control("/v1/exchanges?failing=true").at("/exchanges/0");

        assertThat(failing.get("request").asText()).isEqualTo("GET /gone/2");
        assertThat(failing.at("/failing/by").asText()).isEqualTo("RULE");
        assertThat(failing.at("/failing/rule").asText()).isEqualTo("404 GET /gone/*");
    }

    @Test
    void equalReplies_areNotKept() {
        JsonNode row = stage.control("/v1/exchanges?text=same/1").at("/exchanges/0");
        JsonNode one = stage.control("/v1/exchanges/" + row.get("exchange"));

        assertThat(one.get("production").isNull()).isTrue();
        assertThat(one.get("copy").isNull()).isTrue();
    }

    @Test
    void equalFailures_areKept() {
        JsonNode row = stage.control("/v1/exchanges?status=404").at("/exchanges/0");
        JsonNode one = stage.control("/v1/exchanges/" + row.get("exchange"));

        assertThat(one.at("/kind").asText()).isEqualTo("SAME");
        assertThat(one.at("/production/body").asText()).contains("\"total\" : 17", "[masked]");
        assertThat(one.get("copy")).isEqualTo(one.get("production"));
    }

    @Test
    void unknownExchange_isNotFound() {
        assertThat(stage.controlText("/v1/exchanges/4711").statusCode()).isEqualTo(404);
        assertThat(stage.controlText("/v1/exchanges/x").statusCode()).isEqualTo(400);
    }

    @Test
    void verdictsAndExchanges_agree() {
        for (JsonNode verdict : stage.verdicts("DIFFERENT")) {
            JsonNode one = stage.control("/v1/exchanges/" + verdict.get("exchange"));
            for (Map.Entry<String, JsonNode> field : verdict.properties()) {
                assertThat(one.get(field.getKey())).as(field.getKey()).isEqualTo(field.getValue());
            }
        }
    }

    @Test
    void divergences_areThoseOfTheReport() throws Exception {
        JsonNode divergences = stage.control("/v1/divergences");
        Session session = Session.read(stage.control("/v1/report"));
        JsonNode printed =
                JSON.readTree(JSON.writeValueAsString(Report.of(session, null).document(List.of())));

        assertThat(divergences.get("copies")).isEqualTo(printed.get("copies"));
        assertThat(divergences.at("/copies/0/firstCauses").size()).isPositive();
    }

    private List<String> requests(String path) {
        List<String> requests = new ArrayList<>();
        stage.control(path)
                .get("exchanges")
                .forEach(row -> requests.add(row.get("request").asText()));
        return requests;
    }
}
