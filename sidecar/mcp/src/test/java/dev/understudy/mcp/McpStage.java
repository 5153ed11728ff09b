package dev.understudy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.mcp.carrier.HttpCarrier;
import dev.understudy.mcp.carrier.HttpCarrierLimits;
import dev.understudy.mcp.carrier.MessageDispatcher;
import dev.understudy.mcp.command.McpCommand;
import dev.understudy.mcp.guide.UnderstudyServer;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolRunner;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessTokens;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.config.SidecarConfig;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A shop, its copy with another price, a sidecar before them, and the MCP server before that. */
final class McpStage implements AutoCloseable {
    static final String ADMIN = "admin-token";
    static final String READER = "reader-token";
    static final String OPERATOR = "operator-token";
    static final String CLIENT = "client-token";
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Runnable> open = new ArrayList<>();
    private final HttpClient traffic = HttpClient.newHttpClient();
    final SmallShop production;
    final SmallShop debug;
    private final Path folder;
    private Sidecar sidecar;
    private int controlPort;
    private boolean sidecarRuns = true;

    McpStage(Path folder) throws IOException {
        this.folder = folder;
        production = new SmallShop(17);
        debug = new SmallShop(18);
        sidecar = start(0);
        controlPort = sidecar.controlAddress().getPort();
    }

    private Sidecar start(int control) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - name: shop
                    protocol: http
                    listen: "127.0.0.1:0"
                    production: "127.0.0.1:%d"
                    debug: "127.0.0.1:%d"
                control:
                  listen: "127.0.0.1:%d"
                  tokens:
                    - {name: all, role: admin, token: %s}
                    - {name: looks, role: read, token: %s}
                    - {name: steers, role: operate, token: %s}
                sources: [%s]
                """.formatted(
                        production.port(), debug.port(), control, ADMIN, READER, OPERATOR, sources()));
        Problems problems = new Problems();
        return Sidecar.start(SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems));
    }

    /** The sidecar's own sources; the server has those in the folder above. */
    Path sources() throws IOException {
        return Files.createDirectories(folder.resolve("of-the-sidecar"));
    }

    void stopSidecar() {
        sidecarRuns = false;
        sidecar.close(Duration.ZERO);
    }

    void startSidecarAgain() throws IOException {
        sidecarRuns = true;
        sidecar = start(controlPort);
    }

    URI control() {
        return URI.create("http://127.0.0.1:" + controlPort);
    }

    /** Posts what an agent in the debug JVM would. */
    void tell(String path, String document) throws IOException, InterruptedException {
        ControlClient.ofSidecar(control(), ADMIN).post(path, JSON.readTree(document));
    }

    /** Turns the tee on, off, or has it paused. */
    void tee(String mode) throws IOException, InterruptedException {
        ControlClient.ofSidecar(control(), ADMIN).put("/v1/listeners/shop/tee", Map.of("mode", mode));
    }

    /** Sends requests through the sidecar, and waits until each is judged. */
    void send(String... paths) throws Exception {
        long before = judged();
        sendUnjudged(paths);
        await().atMost(PATIENCE).until(() -> judged() == before + paths.length);
    }

    /** Sends requests through the sidecar. */
    void sendUnjudged(String... paths) throws Exception {
        int port = sidecar.addresses().values().iterator().next().getPort();
        for (String path : paths) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            assertThat(traffic.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
    }

    private long judged() throws IOException, InterruptedException {
        long judged = 0;
        for (JsonNode count :
                ControlClient.ofSidecar(control(), ADMIN).get("/v1/status").at("/listeners/0/debugs/0/verdicts")) {
            judged += count.asLong();
        }
        return judged;
    }

    /** What answers messages, with all tools. */
    MessageDispatcher dispatcher(String token) {
        return dispatcher(token, control(), control(), PATIENCE, folder);
    }

    MessageDispatcher dispatcher(
            String token, URI sidecarUrl, URI aggregatorUrl, Duration patience, @Nullable Path patches) {
        return dispatcher(token, sidecarUrl, aggregatorUrl, patience, patches, List.of(folder));
    }

    MessageDispatcher dispatcher(
            String token,
            URI sidecarUrl,
            URI aggregatorUrl,
            Duration patience,
            @Nullable Path patches,
            List<Path> sources) {
        ControlPorts ports = new ControlPorts(
                () -> ControlClient.ofSidecar(sidecarUrl, token), () -> ControlClient.ofSidecar(aggregatorUrl, token));
        ToolRunner runner = new ToolRunner(ports, patience);
        open.add(0, runner::close);
        MessageDispatcher dispatcher = new MessageDispatcher();
        UnderstudyServer.open(dispatcher, runner, McpCommand.tools(sources, patches), "test");
        return dispatcher;
    }

    HttpCarrier http(MessageDispatcher dispatcher, HttpCarrierLimits limits) throws IOException {
        HttpCarrier carrier = HttpCarrier.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new AccessTokens(AccessConfig.of(CLIENT).tokens()),
                limits,
                dispatcher);
        open.add(0, carrier::close);
        return carrier;
    }

    /** The SDK's client over HTTP. */
    McpSyncClient overHttp(MessageDispatcher dispatcher) throws IOException {
        HttpCarrier carrier = http(dispatcher, HttpCarrierLimits.defaults());
        return client(HttpClientStreamableHttpTransport.builder(
                        "http://127.0.0.1:" + carrier.address().getPort())
                .jsonMapper(dispatcher.mapper())
                .addHttpRequestCustomizer((request, method, endpoint, body, context) ->
                        request.header("Authorization", "Bearer " + CLIENT))
                .build());
    }

    McpSyncClient client(McpClientTransport transport) {
        McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(PATIENCE)
                .initializationTimeout(PATIENCE)
                .jsonSchemaValidator(new NoValidation())
                .build();
        open.add(0, client::close);
        client.initialize();
        return client;
    }

    /** Calls a tool, which must succeed. */
    static JsonNode call(McpSyncClient client, String tool, Object... arguments) {
        CallToolResult result = result(client, tool, arguments);
        assertThat(result.isError()).as(text(result)).isNotEqualTo(true);
        try {
            JsonNode answer = JSON.readTree(text(result));
            assertThat(answer.path("next").asText()).as("next call").isNotEmpty();
            return answer;
        } catch (IOException notJson) {
            throw new UncheckedIOException(notJson);
        }
    }

    /** Calls a tool, which must fail. */
    static String failure(McpSyncClient client, String tool, Object... arguments) {
        CallToolResult result = result(client, tool, arguments);
        assertThat(result.isError()).as(text(result)).isEqualTo(true);
        return text(result);
    }

    private static CallToolResult result(McpSyncClient client, String tool, Object... arguments) {
        Map<String, Object> named = new LinkedHashMap<>();
        for (int n = 0; n < arguments.length; n += 2) {
            named.put(String.valueOf(arguments[n]), arguments[n + 1]);
        }
        return client.callTool(CallToolRequest.builder(tool).arguments(named).build());
    }

    static String text(CallToolResult result) {
        return ((TextContent) Objects.requireNonNull(result.content()).get(0)).text();
    }

    @Override
    public void close() {
        for (Runnable each : open) {
            each.run();
        }
        if (sidecarRuns) {
            sidecar.close(Duration.ZERO);
        }
        debug.close();
        production.close();
    }

    private static final class NoValidation implements JsonSchemaValidator {
        @Override
        public ValidationResponse validate(Map<String, Object> schema, Object content) {
            return ValidationResponse.asValid("");
        }
    }
}
