package dev.understudy.it.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.mcp.carrier.MessageDispatcher;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A program that has nothing but the tools of {@code ./understudy mcp}, over stdio. */
public final class ScriptedAgent implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final McpSyncClient client;

    private ScriptedAgent(McpSyncClient client) {
        this.client = client;
    }

    /**
     * Starts the server and speaks to it.
     *
     * @param control the sidecar's control port
     * @param patches below which patches may come from
     * @param sources from the root of the checkout
     */
    public static ScriptedAgent start(String control, Path patches, String sources) {
        ServerParameters command = ServerParameters.builder(
                        Checkout.root().resolve("understudy").toString())
                .args(
                        "mcp",
                        "--url",
                        control,
                        "--allow-patch",
                        patches.toString(),
                        "--sources",
                        Checkout.root().resolve(sources).toString())
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
        return new ScriptedAgent(client);
    }

    /** Calls a tool, which must succeed. */
    public JsonNode call(String tool, Map<String, Object> arguments) throws Exception {
        CallToolResult result = client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
        String text = ((TextContent) result.content().get(0)).text();
        assertThat(result.isError()).as(text).isNotEqualTo(true);
        return new ObjectMapper().readTree(text);
    }

    @Override
    public void close() {
        client.close();
    }
}
