package dev.understudy.mcp;

import dev.understudy.mcp.carrier.MessageDispatcher;
import dev.understudy.mcp.command.McpCommand;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The command as a process that listens, and the SDK's client that finds its address where it says, and its token. */
@Tag("process")
final class HttpProcessTest {
    private static final Pattern READY = Pattern.compile("ready: (http://127\\.0\\.0\\.1:\\d+)/mcp");

    @TempDir
    Path folder;

    @Test
    void toolsAreCalled_withTheGeneratedToken_whichIsGoneAfterwards() throws Exception {
        try (McpStage stage = new McpStage(folder)) {
            stage.send("/orders/1");
            Process process = start(stage, Map.of());
            try {
                String url = said(process, READY);
                Path file = folder.resolve("run/control-" + URI.create(url).getPort() + ".admin.token");
                String token = Files.readString(file).strip();

                assertThat(ping(url, "wrong")).isEqualTo(401);
                assertThat(ping(url, McpStage.READER))
                        .as("the sidecar's isn't this server's")
                        .isEqualTo(401);
                McpSyncClient client = client(stage, url, token);
                assertThat(client.getServerInfo().name()).isEqualTo("understudy");
                assertThat(McpStage.call(client, "status")
                                .at("/listeners/0/debugs/0/verdicts/DIFFERENT")
                                .asInt())
                        .isEqualTo(1);
                assertThat(McpStage.failure(client, "exchanges", "limit", 0)).startsWith("limit: 0");

                process.destroy();
                assertThat(process.waitFor()).as(output()).isZero();
                assertThat(file).doesNotExist();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void toolsAreCalled_withTheTokenThatWasGiven_andNoneIsGenerated() throws Exception {
        try (McpStage stage = new McpStage(folder)) {
            Process process = start(stage, Map.of("UNDERSTUDY_MCP_TOKEN", "a-token-of-mine"));
            try {
                String url = said(process, READY);
                assertThat(ping(url, "wrong")).isEqualTo(401);
                assertThat(client(stage, url, "a-token-of-mine").listTools().tools())
                        .isNotEmpty();
                assertThat(output()).doesNotContain("a-token-of-mine");
                assertThat(folder.resolve("run")).doesNotExist();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:0, UNDERSTUDY_MCP_TOKEN",
        "192.0.2.1:8808, UNDERSTUDY_MCP_TOKEN",
        "127.0.0.1, expected: HOST:PORT",
        "127.0.0.1:70000, expected: HOST:PORT",
        "no-such-host.invalid:8808, no such host",
    })
    void addresses_areRefusedWithTheWayOut(String address, String said) {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new McpCommand())
                .setErr(new PrintWriter(err))
                .execute("--url", "http://127.0.0.1:1", "--listen", address);

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(said);
    }

    private Process start(McpStage stage, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.understudy.mcp.command.Main",
                        "mcp",
                        "--url",
                        stage.control().toString(),
                        "--listen",
                        "127.0.0.1:0"))
                .redirectErrorStream(true)
                .redirectOutput(log().toFile());
        builder.environment().remove("UNDERSTUDY_MCP_TOKEN");
        builder.environment().put("UNDERSTUDY_CONTROL_TOKEN", McpStage.READER);
        builder.environment().put("UNDERSTUDY_RUN", folder.resolve("run").toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private String said(Process process, Pattern what) throws IOException {
        await("what it says")
                .atMost(McpStage.PATIENCE)
                .until(() -> what.matcher(output()).find() || !process.isAlive());
        Matcher found = what.matcher(output());
        assertThat(found.find()).as(output()).isTrue();
        return found.group(1);
    }

    private static McpSyncClient client(McpStage stage, String url, String token) {
        return stage.client(HttpClientStreamableHttpTransport.builder(url)
                .jsonMapper(new MessageDispatcher().mapper())
                .addHttpRequestCustomizer((request, method, endpoint, body, context) ->
                        request.header("Authorization", "Bearer " + token))
                .build());
    }

    private static int ping(String url, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/mcp"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    private Path log() {
        return folder.resolve("mcp.log");
    }

    private String output() throws IOException {
        return Files.exists(log()) ? Files.readString(log()) : "";
    }
}
