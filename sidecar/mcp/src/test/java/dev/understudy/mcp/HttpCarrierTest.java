package dev.understudy.mcp;

import dev.understudy.mcp.carrier.HttpCarrier;
import dev.understudy.mcp.carrier.HttpCarrierLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Who may send what to the HTTP carrier, and for how long. */
final class HttpCarrierTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";

    private final HttpClient client = HttpClient.newHttpClient();
    private McpStage stage;
    private HttpCarrier carrier;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws Exception {
        stage = new McpStage(folder);
        carrier = stage.http(
                stage.dispatcher(McpStage.READER), new HttpCarrierLimits(3, 1_000, Duration.ofMillis(1_500)));
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /mcp, client-token, application/json, '', '', 200",
        "POST, /mcp, client-token, application/json, http://evil.example, '', 403",
        "POST, /mcp, client-token, application/json, null, '', 403",
        "POST, /mcp, wrong, application/json, '', '', 401",
        "POST, /mcp, '', application/json, '', '', 401",
        "POST, /other, client-token, application/json, '', '', 404",
        "GET, /mcp, client-token, application/json, '', '', 405",
        "DELETE, /mcp, client-token, application/json, '', '', 405",
        "POST, /mcp, client-token, text/plain, '', '', 415",
        "POST, /mcp, client-token, application/json, '', 1999-01-01, 400",
        "POST, /mcp, client-token, application/json, '', 2025-06-18, 200",
    })
    void callers_areChecked(
            String method, String path, String token, String type, String origin, String version, int status)
            throws Exception {
        assertThat(send(method, path, token, type, origin, version, PING)).isEqualTo(status);
    }

    @Test
    void largeBodies_areRefused() throws Exception {
        assertThat(send("POST", "/mcp", McpStage.CLIENT, "application/json", "", "", " ".repeat(2_000)))
                .isEqualTo(413);
    }

    @Test
    void malformedMessages_areAnswered_notThrown() throws Exception {
        assertThat(send("POST", "/mcp", McpStage.CLIENT, "application/json", "", "", "{{{"))
                .isEqualTo(200);
    }

    @Test
    void slowConnections_areClosed_andFurtherOnesRefused() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int n = 0; n < 3; n++) {
                Socket slow = connect();
                slow.getOutputStream().write("POST /mcp HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                slow.setSoTimeout(30_000);
                open.add(slow);
            }
            try (Socket further = connect()) {
                further.setSoTimeout(30_000);
                assertThat(ended(further)).isTrue();
            }
            assertThat(open).allSatisfy(slow -> assertThat(ended(slow)).isTrue());
            assertThat(send("POST", "/mcp", McpStage.CLIENT, "application/json", "", "", PING))
                    .isEqualTo(200);
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), carrier.address().getPort());
    }

    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private int send(String method, String path, String token, String type, String origin, String version, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + carrier.address().getPort() + path))
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (!origin.isEmpty()) {
            request.header("Origin", origin);
        }
        if (!version.isEmpty()) {
            request.header("MCP-Protocol-Version", version);
        }
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
}
