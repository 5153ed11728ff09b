package dev.understudy.it.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.mcp.carrier.MessageDispatcher;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A program that has nothing but the tools of {@code ./understudy mcp}, over stdio or over HTTP. */
public final class ScriptedAgent implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern READY = Pattern.compile("ready: (http://127\\.0\\.0\\.1:\\d+)/mcp");
    private static final Pattern TOKEN_FILE = Pattern.compile("find its token in (\\S+)");

    private final McpSyncClient client;
    private final List<Child> servers;

    private ScriptedAgent(McpClientTransport transport, List<Child> servers) {
        this.servers = servers;
        client = McpClient.sync(transport)
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
    }

    /**
     * Starts the server and speaks to it by its standard input and output.
     *
     * @param control the sidecar's control port
     * @param patches below which patches may come from
     * @param sources from the root of the checkout
     */
    public static ScriptedAgent start(String control, Path patches, String sources) {
        List<String> command = command(control, patches, sources);
        ServerParameters server = ServerParameters.builder(
                        Checkout.root().resolve("understudy").toString())
                .args(command.subList(1, command.size()))
                .build();
        return new ScriptedAgent(new StdioClientTransport(server, new MessageDispatcher().mapper()), List.of());
    }

    /**
     * Starts the server and speaks to it over HTTP, at the address and with the token that it prints.
     *
     * @param folder keeps its log
     */
    public static ScriptedAgent startOverHttp(String control, Path patches, String sources, Path folder)
            throws IOException {
        List<String> command = new ArrayList<>(command(control, patches, sources));
        command.addAll(List.of("--listen", "127.0.0.1:0"));
        Child server = Child.start(folder.resolve("mcp-http.log"), command);
        try {
            String url = said(server, READY);
            String token = Files.readString(Path.of(said(server, TOKEN_FILE))).strip();
            return new ScriptedAgent(
                    HttpClientStreamableHttpTransport.builder(url)
                            .jsonMapper(new MessageDispatcher().mapper())
                            .addHttpRequestCustomizer((request, method, endpoint, body, context) ->
                                    request.header("Authorization", "Bearer " + token))
                            .build(),
                    List.of(server));
        } catch (IOException | RuntimeException | AssertionError failed) {
            server.close();
            throw failed;
        }
    }

    private static List<String> command(String control, Path patches, String sources) {
        return List.of(
                "./understudy",
                "mcp",
                "--url",
                control,
                "--allow-patch",
                patches.toString(),
                "--sources",
                Checkout.root().resolve(sources).toString());
    }

    private static String said(Child server, Pattern what) {
        await("server")
                .atMost(PATIENCE)
                .until(() -> what.matcher(server.output()).find()
                        || !server.process().isAlive());
        Matcher found = what.matcher(server.output());
        assertThat(found.find()).as(server.output()).isTrue();
        return found.group(1);
    }

    /** Calls a tool, which must succeed. */
    public JsonNode call(String tool, Map<String, Object> arguments) throws Exception {
        CallToolResult result = client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
        String text = ((TextContent) result.content().get(0)).text();
        assertThat(result.isError()).as(text).isNotEqualTo(true);
        return new ObjectMapper().readTree(text);
    }

    /** Reads a resource of the session, by its name. */
    public JsonNode read(String resource) throws Exception {
        TextResourceContents contents = (TextResourceContents)
                client.readResource(ReadResourceRequest.builder("understudy://session/" + resource)
                                .build())
                        .contents()
                        .get(0);
        return new ObjectMapper().readTree(contents.text());
    }

    @Override
    public void close() {
        client.close();
        for (Child server : servers) {
            // on request, so that it takes its token away
            server.process().destroy();
            server.process().onExit().join();
            server.close();
        }
    }
}
