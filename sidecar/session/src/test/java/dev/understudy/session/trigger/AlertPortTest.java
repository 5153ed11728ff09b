package dev.understudy.session.trigger;

import dev.understudy.session.trigger.RuleBook.Firing;
import dev.understudy.session.trigger.RuleCondition.AlertName;
import dev.understudy.session.trigger.RuleCondition.StatusCount;
import dev.understudy.session.trigger.WatchRules.AlertSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AlertPortTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String ALERTMANAGER = """
            {"version":"4","groupKey":"{}:{alertname=\\"HighErrors\\"}","truncatedAlerts":0,"status":"firing",
             "receiver":"understudy","groupLabels":{"alertname":"HighErrors"},"commonLabels":{},
             "commonAnnotations":{},"externalURL":"http://alertmanager:9093","alerts":[
             {"status":"resolved","labels":{"alertname":"Old"},"annotations":{},"startsAt":"2026-01-01T00:00:00Z",
              "endsAt":"2026-01-01T01:00:00Z","generatorURL":"","fingerprint":"1"},
             {"status":"firing","labels":{"alertname":"HighErrors","job":"shop"},"annotations":{"summary":"x"},
              "startsAt":"2026-01-01T00:00:00Z","endsAt":"0001-01-01T00:00:00Z","generatorURL":"",
              "fingerprint":"2"}]}""";
    private static final String GRAFANA = """
            {"receiver":"understudy","status":"firing","orgId":1,"alerts":[{"status":"firing",
             "labels":{"alertname":"HighErrors","grafana_folder":"shop"},"annotations":{},"values":{"A":1.5},
             "startsAt":"2026-01-01T00:00:00Z","silenceURL":"","dashboardURL":"","panelURL":""}],
             "title":"[FIRING:1]","state":"alerting","message":"**Firing**"}""";
    private static final String OLD_GRAFANA =
            "{\"title\":\"[Alerting] HighErrors\",\"ruleId\":1,\"ruleName\":\"HighErrors\",\"state\":\"alerting\"}";

    private final RuleBook book = new RuleBook(
            List.of(rule("alarm", new AlertName("HighErrors")), rule("gone", new StatusCount(503, 1))),
            Clock.systemUTC());
    private final HttpClient client = HttpClient.newHttpClient();
    private AlertPort port;

    @BeforeEach
    void open() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        port = AlertPort.open(new AlertSettings(any, TOKEN), book);
    }

    @AfterEach
    void close() {
        port.close();
    }

    @Test
    void alert_firesItsRule_andAnotherDoesNot() throws Exception {
        HttpResponse<String> reply = post("/v1/alerts", ALERTMANAGER);

        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"rules\":{\"alarm\":\"fired\"}}");
        assertThat(book.take()).map(Firing::why).contains("alert HighErrors");
        assertThat(post("/v1/alerts", GRAFANA).body()).contains("a copy is observed already");
        book.done();
        assertThat(post("/v1/alerts", ALERTMANAGER.replace("HighErrors", "Other"))
                        .body())
                .isEqualTo("{\"rules\":{}}");
        assertThat(book.take()).isEqualTo(Optional.empty());
    }

    @Test
    void messagesOfBothSystems_areRead_andResolvedAlertsLeftOut() {
        assertThat(firing(ALERTMANAGER)).containsExactly("HighErrors");
        assertThat(firing(GRAFANA)).containsExactly("HighErrors");
        assertThat(firing(OLD_GRAFANA)).containsExactly("HighErrors");
        assertThat(firing(OLD_GRAFANA.replace("alerting", "ok"))).isEmpty();
        assertThat(firing("{\"status\":\"resolved\",\"alerts\":[{\"labels\":{\"alertname\":\"A\"}}]}"))
                .isEmpty();
        assertThatThrownBy(() -> firing("{}")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hostileMessages_areRefused_orSayNothing() {
        Random random = new Random(63);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = (round % 2 == 0 ? ALERTMANAGER : GRAFANA).getBytes(StandardCharsets.UTF_8);
            for (int n = random.nextInt(6); n >= 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(AlertMessage.firing(bytes)).hasSizeLessThanOrEqualTo(AlertMessage.MOST);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("body: ");
            }
        }
        String many = "{\"labels\":{\"alertname\":\"%d\"}},";
        StringBuilder flood = new StringBuilder("{\"alerts\":[");
        for (int n = 0; n < 3_000; n++) {
            flood.append(many.formatted(n));
        }
        assertThat(firing(flood + "{}]}")).hasSize(AlertMessage.MOST);
        assertThatThrownBy(() -> firing("[".repeat(100_000))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void callers_needTheToken_andSendLittle() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri("/v1/alerts"))
                .POST(BodyPublishers.ofString(ALERTMANAGER))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
        assertThat(post("/v1/alerts", "x".repeat(300 << 10)).statusCode()).isEqualTo(413);
        assertThat(post("/v1/alerts", "no json").statusCode()).isEqualTo(400);
        assertThat(book.take()).isEqualTo(Optional.empty());
    }

    @Test
    void rules_areShown_andFiredByHand() throws Exception {
        assertThat(post("/v1/rules/gone/fire", "").body()).contains("\"gone\":\"fired\"");
        assertThat(post("/v1/rules/none/fire", "").statusCode()).isEqualTo(404);
        HttpRequest get = HttpRequest.newBuilder(uri("/v1/rules"))
                .header("Authorization", "Bearer " + TOKEN)
                .build();

        assertThat(client.send(get, BodyHandlers.ofString()).body())
                .contains("\"name\":\"gone\",\"kind\":\"StatusCount\",\"fired\":1");
    }

    private static TriggerRule rule(String name, RuleCondition condition) {
        return new TriggerRule(name, condition, Duration.ofMinutes(1), Duration.ofMinutes(30), 3);
    }

    private static Set<String> firing(String text) {
        return AlertMessage.firing(text.getBytes(StandardCharsets.UTF_8));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port.address().getPort() + path);
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}
