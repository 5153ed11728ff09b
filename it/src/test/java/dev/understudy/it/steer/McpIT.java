package dev.understudy.it.steer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import dev.understudy.mcp.carrier.MessageDispatcher;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A scripted agent that has nothing but the tools: it finds what a debug JVM does wrong, and verifies the repair. */
@Tag("any-jdk")
class McpIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TARIFF = Tariff.class.getName();

    @TempDir
    static Path folder;

    private final HttpClient traffic = HttpClient.newHttpClient();
    private int sent;

    @Test
    void anAgent_findsTheDefect_repairsIt_andSeesThatRepliesAgree() throws Exception {
        Path right = Files.createDirectories(folder.resolve("right"));
        Path own = Path.of(
                Tariff.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String file = TARIFF.replace('.', '/') + ".class";
        Files.createDirectories(right.resolve(file).getParent());
        Files.copy(own.resolve(file), right.resolve(file));
        int port = FreePorts.next();
        try (Child production = OwnJvm.start(folder, Till.class, "production");
                TeeStage tee = TeeStage.open(folder, "http", OwnJvm.port(production), port);
                Child debug = OwnJvm.start(
                        folder,
                        Till.class,
                        "debug",
                        OwnJvm.AGENT + ",name=till,sidecar=" + tee.control(),
                        "-Dport=" + port)) {
            OwnJvm.awaitArmed(debug, tee);
            sell(tee, "tea", 2);
            Understudy.run(
                    folder, 0, "patch", "apply", OtherTariff.compile(folder).toString(), "--url", tee.control());
            McpSyncClient agent = agent(tee);
            try {
                work(agent, tee);
            } finally {
                agent.close();
            }
        }
    }

    private void work(McpSyncClient agent, TeeStage tee) throws Exception {
        for (int n = 0; n < 10; n++) {
            sell(tee, "cake", 12);
            sell(tee, "cake", 2);
        }
        JsonNode status = call(agent, "status", Map.of());
        assertThat(status.path("next").asText()).startsWith("divergences: 10");
        await("the groups, which are made anew every two seconds")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(call(agent, "divergences", Map.of())
                                .at("/groups/0/places")
                                .toString())
                        .contains("body.cents"));
        JsonNode rows = call(agent, "exchanges", Map.of("kind", "DIFFERENT", "limit", 1));
        JsonNode one = call(
                agent,
                "exchange",
                Map.of("number", rows.at("/exchanges/0/number").asLong()));
        assertThat(one.at("/differences/0/production").asText()).isEqualTo(String.valueOf(Tariff.price("cake", 12)));
        assertThat(call(agent, "source", Map.of("method", TARIFF + "#rebated"))
                        .path("lines")
                        .toString())
                .contains("cents - cents / 10");
        String point = call(
                        agent, "add_log_point", Map.of("method", TARIFF + "#rebated", "message", "{cents} {return}"))
                .path("id")
                .asText();
        await("hits").atMost(PATIENCE).untilAsserted(() -> {
            sell(tee, "cake", 12);
            assertThat(call(agent, "hits", Map.of("point", point)).path("hits")).isNotEmpty();
        });
        call(agent, "remove_point", Map.of("id", point));

        JsonNode applied = call(agent, "apply_patch", Map.of("classes", "right"));
        assertThat(applied.at("/agents/0/follows").asBoolean())
                .as(applied.toString())
                .isTrue();
        sell(tee, "cake", 12);
        sell(tee, "cake", 2);
        JsonNode verdict = call(agent, "patch_verdict", Map.of("exchanges", 2));
        assertThat(verdict.path("verdict").asText()).as(verdict.toString()).startsWith("agrees");
    }

    private static McpSyncClient agent(TeeStage tee) {
        ServerParameters command = ServerParameters.builder(
                        Checkout.root().resolve("understudy").toString())
                .args(
                        "mcp",
                        "--url",
                        tee.control(),
                        "--allow-patch",
                        folder.toString(),
                        "--sources",
                        Checkout.root().resolve("it/src/test/java").toString())
                .build();
        McpSyncClient client = McpClient.sync(new StdioClientTransport(command, new MessageDispatcher().mapper()))
                .requestTimeout(PATIENCE)
                .initializationTimeout(PATIENCE)
                .jsonSchemaValidator(new JsonSchemaValidator() {
                    @Override
                    public ValidationResponse validate(Map<String, Object> schema, Object content) {
                        return ValidationResponse.asValid("");
                    }
                })
                .build();
        client.initialize();
        return client;
    }

    private static JsonNode call(McpSyncClient agent, String tool, Map<String, Object> arguments) throws Exception {
        CallToolResult result = agent.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
        String text = ((TextContent) result.content().get(0)).text();
        assertThat(result.isError()).as(text).isNotEqualTo(true);
        return new ObjectMapper().readTree(text);
    }

    private void sell(TeeStage tee, String article, int pieces) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tee.port() + "/sale/" + article + "/" + pieces))
                .timeout(PATIENCE)
                .build();
        assertThat(traffic.send(request, BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
        tee.awaitExchanges(++sent);
    }
}
