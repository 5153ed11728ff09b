package dev.understudy.sidecar.ranking;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Routes;
import dev.understudy.sidecar.RolePort;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.ReplyCondition;
import java.net.http.HttpResponse;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which exchanges fail, as operators say by a control port. */
final class LabelsControlTest {
    private static final String PATH = "/v1/labels";

    private final Labels labels = new Labels(LabelRule.defaults());

    @SuppressWarnings("NullAway.Init") // opened before each test
    private RolePort port;

    @BeforeEach
    void open() throws Exception {
        port = new RolePort(new LabelsControl(labels).addTo(new Routes()));
    }

    @AfterEach
    void close() {
        port.close();
    }

    @Test
    void whatIsNamed_isChanged_theRestStaysAsItWasChangedBefore_andAllIsTakenBack() throws Exception {
        port.json("POST", PATH, "operate", "{\"status\": 400, \"slow\": \"p99.9\"}");
        JsonNode second = port.json(
                "POST",
                PATH,
                "operate",
                "{\"logged\": false, \"grpc\": [\"NOT_FOUND\", 13], \"also\": [\"200 GET \\/ where json /a < 0\"]}");

        assertThat(second.path("edition").asInt()).isEqualTo(2);
        assertThat(second.path("status").asInt()).isEqualTo(400);
        assertThat(second.path("slow").asText()).isEqualTo("p99.9");
        assertThat(second.path("logged").asBoolean()).isFalse();
        assertThat(second.path("grpc")).extracting(JsonNode::asText).containsExactly("NOT_FOUND", "INTERNAL");
        assertThat(second.at("/configured/status").asInt()).isEqualTo(500);
        assertThat(labels.now().conditions()).containsExactly(ReplyCondition.of("json /a < 0"));

        JsonNode taken = port.json("DELETE", PATH, "operate", "");

        assertThat(taken.path("edition").asInt()).isEqualTo(3);
        assertThat(labels.now().rule()).isEqualTo(LabelRule.defaults());
        assertThat(labels.now().conditions()).isEmpty();
    }

    @Test
    void whatWasRead_canBeWritten_andChangesNothing() throws Exception {
        for (String slow : new String[] {"never", "250ms", "2000ms", "p99", "p99.95"}) {
            JsonNode set = port.json("POST", PATH, "operate", "{\"slow\": \"" + slow + "\"}");
            String configured = port.json("GET", PATH, "read", "").path("slow").toString();

            JsonNode again = port.json("POST", PATH, "operate", "{\"slow\": " + configured + "}");

            assertThat(again).isEqualTo(set);
        }
        assertThat(port.json("GET", PATH, "read", "").path("edition").asInt()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"status\": 42}                     | status: 42 (expected:",
                "{\"statsu\": 400}                    | statsu: unknown key",
                "{\"slow\": \"p10\"}                  | slow: p10 (expected:",
                "{\"also\": [\"404\"]}                | also: 404 (expected:",
                "{\"also\": [{\"a\": 1}]}             | also: (expected:",
                "{\"grpc\": [\"NOTHING\"]}            | grpc: NOTHING (expected:",
                "{\"least\": 1}                       | least: 1 (expected:",
                "[]                                   | expected",
                "status: 400                          | JSON"
            })
    void whatIsNoRule_isRefusedByItsName_andNothingChanges(String body, String problem) throws Exception {
        HttpResponse<String> refused = port.send("POST", PATH, "operate", body);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains(problem);
        assertThat(labels.now().number()).isZero();
    }

    @Test
    void moreRulesThanAnExchangeIsAsked_areRefused() throws Exception {
        String hundred = "\"404 GET /a\",".repeat(99) + "\"404 GET /b\"";

        assertThat(port.send("POST", PATH, "operate", "{\"also\": [" + hundred + "]}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(port.send("POST", PATH, "operate", "{\"also\": [\"404 GET /c\"," + hundred + "]}")
                        .body())
                .contains("also: 101 rules (expected: at most 100)");
    }

    @Test
    void whoMayOnlyRead_changesNothing() throws Exception {
        assertThat(port.send("POST", PATH, "read", "{\"status\": 400}").statusCode())
                .isEqualTo(403);
        assertThat(port.send("DELETE", PATH, "read", "").statusCode()).isEqualTo(403);
        assertThat(port.json("GET", PATH, "read", "").path("status").asInt()).isEqualTo(500);
    }

    /** Of bodies that are damaged at random, each is a rule or refused. */
    @Test
    void damagedBodies_areRefusedOrRead() throws Exception {
        String whole = "{\"status\": 400, \"also\": [\"404 GET /users/*\"], \"slow\": \"p99\", \"grpc\": [13]}";
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int n = random.nextInt(3); n >= 0; n--) {
                damaged.setCharAt(random.nextInt(damaged.length()), (char) (32 + random.nextInt(95)));
            }

            HttpResponse<String> reply = port.send("POST", PATH, "operate", damaged.toString());

            assertThat(reply.statusCode()).as("%s: %s", damaged, reply.body()).isIn(200, 400);
        }
    }
}
