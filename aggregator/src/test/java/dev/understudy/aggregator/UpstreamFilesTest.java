package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.config.AggregatorConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The files of upstreams, which one process has at a time. */
class UpstreamFilesTest {
    @TempDir
    private Path folder;

    @Test
    void journalThatCantBeOpened_leavesTheFilesOfLargeRepliesToTheNextOne() throws Exception {
        try (Aggregator holder = aggregator("large: 0")) {
            assertThat(holder.debugAddress("test")).isNotNull();
            assertThatThrownBy(() -> aggregator("large: 64MiB"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("journal.disk-directory");
        }
        aggregator("large: 64MiB").close();
    }

    @Test
    void upstreamWithoutAProductionPort_givesWhatWasRecordedBefore_andDialsNobody() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 4);
            exchange.getResponseBody().write("1250".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        try (Aggregator recording = aggregator("large: 0", "127.0.0.1:0", port)) {
            assertThat(get(recording.productionAddress("test"), "/price").body())
                    .isEqualTo("1250");
        }
        server.stop(0);
        try (ServerSocket upstream = new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
                Aggregator replaying = aggregator("large: 0", "none", port)) {
            InetSocketAddress debug = (InetSocketAddress) replaying.debugAddress("test");
            assertThat(get(debug, "/price").body()).isEqualTo("1250");
            assertThat(get(debug, "/fee").statusCode()).isGreaterThanOrEqualTo(500);
            HttpResponse<String> status = get(replaying.controlAddress(), "/v1/status");
            assertThat(status.body()).contains("\"production\":{\"address\":\"none\",\"upstream\":[]", "\"missed\":1");
            upstream.setSoTimeout(1);
            assertThatThrownBy(upstream::accept)
                    .as("a connection would wait there")
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    private static HttpResponse<String> get(InetSocketAddress at, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + at.getPort() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private Aggregator aggregator(String journal) throws IOException {
        return aggregator(journal, "127.0.0.1:0", 9);
    }

    private Aggregator aggregator(String journal, String listen, int upstream) throws IOException {
        Path file = folder.resolve("aggregator.yaml");
        Files.writeString(file, """
                upstreams:
                  - name: test
                    protocol: http
                    production: { listen: "%s", upstream: 127.0.0.1:%d }
                    debug: { listen: 127.0.0.1:0 }
                    wait: 1ms
                journal: { disk-directory: %s, %s }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(listen, upstream, folder.resolve("journals"), journal));
        return Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()));
    }
}
