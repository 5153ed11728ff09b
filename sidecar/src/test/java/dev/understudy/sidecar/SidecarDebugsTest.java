package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.DebugTarget;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.config.WindowConfig;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Several debug JVMs behind one listener: each for itself. */
final class SidecarDebugsTest {
    private HttpService production;
    private HttpService same;
    private HttpService other;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        same = HttpService.saying("{\"n\":1}");
        other = HttpService.saying("{\"n\":2}");
    }

    @AfterEach
    void close() {
        other.close();
        same.close();
        production.close();
    }

    @Test
    void each_getsTheInput_andHasVerdictsOfItsOwn() throws Exception {
        try (Stage stage = stage(Stage.WINDOW, other.address())) {
            for (int n = 0; n < 10; n++) {
                stage.get("/" + n);
            }
            JsonNode status = stage.awaitStatus(
                    "verdicts", s -> judged(s.at("/debugs/0")) == 10 && judged(s.at("/debugs/1")) == 10);

            assertThat(status.at("/debugs/0/debug").asText()).isEqualTo("plain");
            assertThat(status.at("/debugs/0/verdicts/DIFFERENT").asInt()).isZero();
            assertThat(status.at("/debugs/1/debug").asText()).isEqualTo("patched");
            assertThat(status.at("/debugs/1/verdicts/DIFFERENT").asInt()).isEqualTo(10);
            assertThat(status.at("/verdicts")).as("those of the first").isEqualTo(status.at("/debugs/0/verdicts"));
            assertThat(same.asked).hasSize(10);
            assertThat(other.asked).hasSize(10);
            assertThat(production.asked).hasSize(10);
            assertThat(stage.control("/v1/verdicts?kind=DIFFERENT").get("verdicts"))
                    .isEmpty();
            assertThat(stage.control("/v1/verdicts?kind=DIFFERENT&debug=patched")
                            .get("verdicts"))
                    .hasSize(10);
            assertThat(stage.controlText("/v1/verdicts?debug=nobody").statusCode())
                    .isEqualTo(400);
            assertThat(stage.controlText("/metrics").body())
                    .contains(
                            "understudy_verdicts_total{debug=\"patched\",kind=\"different\",listener=\"orders\"} 10.0")
                    .contains("understudy_window_utilisation{debug=\"plain\"}");
            assertThat(stage.sidecar.fidelity())
                    .containsEntry("orders, plain", "faithful: 10 of 10 exchanges")
                    .containsEntry("orders, patched", "COLD copy, faithful: 10 of 10 exchanges");
        }
    }

    @Tag("slow")
    @Test
    void oneThatIsGone_costsTheOtherNothing() throws Exception {
        WindowConfig small = new WindowConfig(
                2 << 20, 8 << 20, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
        try (Stage stage = stage(small, Stage.nobody())) {
            byte[] body = new byte[64 << 10];
            for (int n = 0; n < 60; n++) {
                int sent = n;
                stage.awaitStatus("the healthy one keeps up", s -> judged(s.at("/debugs/0")) >= sent - 8);
                assertThat(stage.post("/" + n, body).statusCode()).isEqualTo(200);
            }
            JsonNode status = stage.awaitStatus(
                    "all counted", s -> judged(s.at("/debugs/0")) == 60 && judged(s.at("/debugs/1")) >= 1);

            assertThat(status.at("/debugs/0/losses")).isEmpty();
            assertThat(status.at("/debugs/0/fidelity").asText()).isEqualTo("faithful: 60 of 60 exchanges");
            assertThat(stage.control("/v1/fidelity").at("/listeners/0/copy").isNull())
                    .isTrue();
            assertThat(status.at("/debugs/1/losses/OVERFLOW_LANE/events").asInt())
                    .isEqualTo(1);
            assertThat(status.at("/debugs/1/fidelity").asText())
                    .startsWith("COLD copy, faithful up to exchange 0, lost");
            assertThat(stage.control("/v1/fidelity").at("/listeners/1/copy").asText())
                    .isEqualTo("COLD");
            assertThat(stage.control("/v1/fidelity").at("/listeners/1/debug").asText())
                    .isEqualTo("patched");
            assertThat(stage.control("/v1/status").get("windows")).hasSize(2);
        }
    }

    private Stage stage(WindowConfig window, InetSocketAddress second) throws IOException {
        ListenerConfig one = Stage.listener(
                production.address(), same.address(), ListenerConfig.Framing.HTTP, ListenerConfig.Order.CAUSAL);
        ListenerConfig two = new ListenerConfig(
                one.name(),
                one.listen(),
                one.production(),
                List.of(
                        new DebugTarget("plain", same.address()),
                        new DebugTarget("patched", second, null, CopyState.COLD)),
                one.protocol(),
                one.order(),
                one.accept(),
                one.tee());
        return Stage.open(two, window, new TelemetryConfig("", "test", true, ""));
    }

    private static int judged(JsonNode debug) {
        int judged = 0;
        for (JsonNode count : debug.get("verdicts")) {
            judged += count.asInt();
        }
        return judged;
    }
}
