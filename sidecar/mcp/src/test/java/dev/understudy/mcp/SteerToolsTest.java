package dev.understudy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.Aggregator;
import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.sidecar.command.control.ControlClient;
import io.modelcontextprotocol.client.McpSyncClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What tools order, with which role, and what they say when it can't be done. */
final class SteerToolsTest {
    private McpStage stage;
    private McpSyncClient client;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws Exception {
        stage = new McpStage(folder);
        client = stage.overHttp(stage.dispatcher(McpStage.ADMIN));
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void probes_areOrdered_andReset() {
        JsonNode armed =
                McpStage.call(client, "order_probes", "order", "arm", "patterns", List.of("com.shop.Cart#total"));
        assertThat(armed.path("revision").asLong()).isPositive();
        assertThat(armed.path("note").asText()).contains("no agent");
        McpStage.call(client, "order_probes", "order", "disarm", "patterns", List.of("com.shop.*"));
        McpStage.call(client, "order_probes", "order", "reset");
        assertThat(McpStage.failure(client, "order_probes", "order", "arm")).startsWith("patterns: missing");
    }

    @Test
    void labels_areShown_changed_andReset() throws IOException {
        assertThat(McpStage.call(client, "failure_labels").path("status").asInt())
                .isEqualTo(500);

        JsonNode changed = McpStage.call(
                client, "set_failure_labels", "also", List.of("422 POST /orders"), "slow", "250ms", "status", 400);

        assertThat(changed.at("/also/0").asText()).isEqualTo("422 POST /orders");
        assertThat(changed.path("slow").asText()).contains("250");
        assertThat(changed.path("status").asInt()).isEqualTo(400);
        assertThat(changed.at("/configured/status").asInt()).isEqualTo(500);
        assertThat(McpStage.failure(client, "set_failure_labels", "also", List.of("lucky")))
                .contains("lucky", "expected: ");
        assertThat(McpStage.failure(client, "set_failure_labels")).startsWith("reset: ");
        assertThat(McpStage.failure(client, "set_failure_labels", "reset", true, "status", 500))
                .startsWith("reset: ");
        assertThat(McpStage.call(client, "set_failure_labels", "reset", true).path("also"))
                .isEmpty();
        McpSyncClient reader = stage.overHttp(stage.dispatcher(McpStage.READER));
        assertThat(McpStage.failure(reader, "set_failure_labels", "reset", true))
                .contains("operate");
    }

    @Test
    void exchange_isReplayed_toTheDebugCopyAlone() throws Exception {
        stage.send("/carts/7");
        JsonNode rows = McpStage.call(client, "exchanges", "kind", "DIFFERENT");
        long number = rows.at("/exchanges/0/exchange").asLong();

        JsonNode run = McpStage.call(client, "replay_exchange", "exchange", number);

        assertThat(run.path("kind").asText()).as(run.toString()).isEqualTo("DIFFERENT");
        assertThat(run.at("/differences/0/debug").asText()).isEqualTo("18");
        assertThat(McpStage.call(client, "exchanges").path("exchanges"))
                .as("it counts nowhere")
                .hasSize(1);
        McpSyncClient reader = stage.overHttp(stage.dispatcher(McpStage.READER));
        assertThat(McpStage.failure(reader, "replay_exchange", "exchange", number))
                .contains("operate");
    }

    @Test
    void executions_areComparedOnlyIfThereIsSomethingToCompare_andByWhoMayOperate() throws Exception {
        assertThat(McpStage.failure(client, "compare_executions")).contains("no failing request is kept");
        stage.send("/carts/7");
        McpStage.call(client, "exchanges", "kind", "DIFFERENT");
        assertThat(McpStage.failure(client, "compare_executions")).contains("that went well is kept");
        McpSyncClient reader = stage.overHttp(stage.dispatcher(McpStage.READER));
        assertThat(McpStage.failure(reader, "compare_executions")).contains("operate");
        assertThat(McpStage.failure(reader, "compare_executions", "number", 3))
                .startsWith("number: 3 (expected: a comparison that is kept: there is none");
        assertThat(McpStage.failure(reader, "compare_executions", "cursor", 40)).startsWith("number: missing");
    }

    @Test
    void points_areAdded_listed_andRemoved() {
        String log = McpStage.call(
                        client, "add_log_point", "method", "com.shop.Cart#total", "message", "total {return}")
                .path("id")
                .asText();
        McpStage.call(client, "add_snapshot", "method", "com.shop.Cart#total", "at", "entry");
        McpStage.call(client, "watch_field", "field", "com.shop.Cart.total", "uses", "both");

        JsonNode points = McpStage.call(client, "points", "limit", 2);
        assertThat(points.path("total").asInt()).isEqualTo(3);
        assertThat(points.path("cursor").asInt()).isEqualTo(2);
        assertThat(points.at("/points/0/message").asText()).isEqualTo("total {return}");
        assertThat(McpStage.call(client, "points", "cursor", 2)
                        .at("/points/0/method")
                        .asText())
                .isEqualTo("com.shop.Cart#total");
        assertThat(McpStage.call(client, "hits", "point", log).path("next").asText())
                .contains("points");
        McpStage.call(client, "remove_point", "id", log);
        assertThat(McpStage.call(client, "points").path("total").asInt()).isEqualTo(2);
        assertThat(McpStage.failure(client, "remove_point", "id", "nobody")).contains("nobody");
    }

    @Test
    void aReader_isRefused_inPlainWords() throws IOException {
        McpSyncClient reader = stage.overHttp(stage.dispatcher(McpStage.READER));

        assertThat(McpStage.failure(reader, "add_snapshot", "method", "com.shop.Cart#total"))
                .contains("needs the role operate or admin", "UNDERSTUDY_CONTROL_TOKEN");
        assertThat(McpStage.call(reader, "points").path("total").asInt()).isZero();
    }

    @Test
    void patches_needTheFlag_theRole_andAPlaceBelowTheFolder() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        try (InputStream own = SmallShop.class.getResourceAsStream("SmallShop.class")) {
            Files.createDirectories(classes.resolve("dev/understudy/mcp"));
            Files.write(classes.resolve("dev/understudy/mcp/SmallShop.class"), own.readAllBytes());
        }
        McpSyncClient without = stage.overHttp(
                stage.dispatcher(McpStage.ADMIN, stage.control(), stage.control(), McpStage.PATIENCE, null));
        assertThat(without.listTools().tools())
                .noneMatch(tool ->
                        tool.name().contains("apply_patch") || tool.name().equals("take_back_patch"))
                .anyMatch(tool -> tool.name().equals("patch_verdict"));
        McpSyncClient operator = stage.overHttp(stage.dispatcher(McpStage.OPERATOR));
        assertThat(McpStage.failure(operator, "apply_patch", "classes", "classes"))
                .contains("needs the role admin");
        assertThat(McpStage.failure(client, "apply_patch", "classes", "/etc")).contains("is outside of");
        assertThat(McpStage.failure(client, "apply_patch", "classes", "../..")).contains("is outside of");
        assertThat(McpStage.failure(client, "apply_patch", "classes", "nowhere"))
                .contains("isn't there");

        assertThat(McpStage.call(client, "apply_patch", "classes", "classes")
                        .at("/patch/classes/0")
                        .asText())
                .isEqualTo("dev.understudy.mcp.SmallShop");
        McpStage.call(client, "take_back_patch");
        assertThat(McpStage.failure(client, "take_back_patch")).contains("no patch is wanted");
    }

    @Test
    void patchVerdict_countsDifferences_orSaysWhatIsMissing() throws Exception {
        assertThat(McpStage.call(client, "patch_verdict", "exchanges", 1, "seconds", 0)
                        .path("verdict")
                        .asText())
                .startsWith("not yet");
        stage.send("/same/1", "/same/2");
        assertThat(McpStage.call(client, "patch_verdict", "exchanges", 2)
                        .path("verdict")
                        .asText())
                .startsWith("agrees");
        stage.send("/orders/1");
        assertThat(McpStage.call(client, "patch_verdict", "exchanges", 3)
                        .path("verdict")
                        .asText())
                .startsWith("differs: 1 of 3");
    }

    @Test
    void wrongArguments_areNamed_withWhatWasExpected() {
        assertThat(McpStage.failure(client, "exchanges", "limit", 900))
                .isEqualTo("limit: 900 (expected: a whole number from 1 to 50)");
        assertThat(McpStage.failure(client, "exchanges", "limit", "many")).startsWith("limit: 'many' (expected");
        assertThat(McpStage.failure(client, "exchanges", "limit", 1.5)).startsWith("limit: 1.5 (expected");
        assertThat(McpStage.failure(client, "exchanges", "kind", "ODD")).contains("one of SAME, EQUIVALENT");
        assertThat(McpStage.failure(client, "exchanges", "color", "red")).contains("'color': no such argument", "kind");
        assertThat(McpStage.failure(client, "exchange")).startsWith("exchange: missing");
        assertThat(McpStage.failure(client, "exchanges", "text", "a\u001b[31m"))
                .startsWith("text: 'a\uFFFD[31m'")
                .doesNotContain("\u001b");
        assertThat(McpStage.failure(client, "exchanges", "text", "x".repeat(900_00)))
                .contains("90000 characters")
                .hasSizeLessThan(300);
        assertThat(McpStage.failure(
                        client, "order_probes", "order", "arm", "patterns", Collections.nCopies(5_000, "a#b")))
                .startsWith("patterns: a list of 5000");
        assertThat(McpStage.failure(client, "order_probes", "order", List.of("arm")))
                .startsWith("order: a list of 1");
    }

    @Test
    void aSidecarThatIsGone_isNamed_andServedAgainOnceItIsBack() throws Exception {
        McpStage.call(client, "status");
        stage.stopSidecar();
        // the connection that was open ends, or is given up after five seconds; then nobody accepts another one
        assertThat(McpStage.failure(client, "status")).contains(stage.control().toString());
        assertThat(McpStage.failure(client, "status")).contains("nobody answers", "is the sidecar running?");
        stage.startSidecarAgain();
        assertThat(McpStage.call(client, "status").path("listeners")).hasSize(1);
    }

    @Test
    void aSidecarThatHangs_isGivenUp_andOtherCallsGoOn() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            URI hung = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            McpSyncClient other = stage.overHttp(
                    stage.dispatcher(McpStage.ADMIN, hung, stage.control(), Duration.ofSeconds(1), null));
            assertThat(McpStage.failure(other, "status")).contains("status took longer than 1 s");
            assertThat(other.listTools().tools()).isNotEmpty();
        }
    }

    @Test
    void upstreamTools_pageAndExplain(@TempDir Path own) throws Exception {
        Path file = Files.writeString(
                own.resolve("aggregator.yaml"), """
                upstreams:
                  - name: prices
                    protocol: http
                    production: {listen: "127.0.0.1:0", upstream: "127.0.0.1:%d"}
                    debug: {listen: "127.0.0.1:0"}
                    wait: 50ms
                control: {listen: "127.0.0.1:0", tokens: [{name: all, role: admin, token: %s}]}
                """.formatted(stage.production.port(), McpStage.ADMIN));
        try (Aggregator aggregator = Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()))) {
            URI control =
                    URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort());
            ask(aggregator.productionAddress("prices"), "/items/8");
            ControlClient direct = ControlClient.ofAggregator(control, McpStage.ADMIN);
            await("what production got")
                    .until(() -> direct.get("/v1/status")
                                    .at("/upstreams/0/journal/unused")
                                    .asInt()
                            == 1);
            ask((InetSocketAddress) aggregator.debugAddress("prices"), "/items/9?password=hunter2-and-more");
            ask((InetSocketAddress) aggregator.debugAddress("prices"), "/items/9?password=hunter2-and-more");
            McpSyncClient other =
                    stage.overHttp(stage.dispatcher(McpStage.ADMIN, stage.control(), control, McpStage.PATIENCE, null));

            JsonNode kind = McpStage.call(other, "upstream_misses").at("/kinds/0");
            assertThat(kind.path("count").asInt()).isEqualTo(2);
            assertThat(kind.toString()).contains("/items/9", "/items/8").doesNotContain("hunter2");
            JsonNode calls = McpStage.call(other, "upstream_calls", "outcome", "MISSED", "limit", 1);
            assertThat(calls.path("cursor").asInt()).isEqualTo(1);
            assertThat(calls.toString()).contains("/items/9").doesNotContain("hunter2");
            int id = calls.at("/calls/0/id").asInt();
            assertThat(calls.path("next").asText()).contains("id " + id);
            assertThat(McpStage.call(other, "upstream_call", "id", id)
                            .path("call")
                            .toString())
                    .contains("/items/9", "/items/8")
                    .doesNotContain("hunter2");
            assertThat(McpStage.call(other, "upstream_calls", "outcome", "BACKGROUND")
                            .path("calls"))
                    .isEmpty();
        }
    }

    private static void ask(InetSocketAddress server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path))
                .build();
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    }
}
