package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.config.AggregatorConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Large replies together with what else the debug port can do, and after a restart. */
@Tag("process")
class LargeRepliesTest {
    private static final int LARGE = 2 << 20;

    private final byte[] body = new byte[LARGE];
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        new Random(1).nextBytes(body);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/plain", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/packed", exchange -> {
            byte[] packed = packed(body);
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(packed);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void overTls_itIsTheSame() throws Exception {
        try (Aggregator aggregator = http()) {
            record(aggregator, "/plain");
            HttpClient trusting =
                    HttpClient.newBuilder().sslContext(trusting(aggregator)).build();
            HttpResponse<byte[]> debug = get(trusting, "https://localhost:" + debugPort(aggregator) + "/plain");
            assertThat(debug.sslSession()).isPresent();
            assertThat(debug.body()).isEqualTo(body);
            awaitNoneLeft(aggregator);
        }
    }

    @Test
    void compressedBody_isGivenAsItCame() throws Exception {
        try (Aggregator aggregator = http()) {
            record(aggregator, "/packed");
            HttpResponse<byte[]> debug = ask(aggregator, "/packed");
            assertThat(debug.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(debug.body()).isEqualTo(packed(body));
            try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(debug.body()))) {
                assertThat(unpacked.readAllBytes()).isEqualTo(body);
            }
            awaitNoneLeft(aggregator);
        }
    }

    @Test
    void faults_hamperIt_andUseItUpOnlyIfItIsGiven() throws Exception {
        try (Aggregator aggregator = http()) {
            record(aggregator, "/plain");
            set(aggregator, "{\"upstream\":\"test\",\"fault\":\"error\",\"code\":\"503\"}");
            assertThat(ask(aggregator, "/plain").statusCode()).isEqualTo(503);
            set(aggregator, "{\"upstream\":\"test\",\"fault\":\"reset\"}");
            assertThatThrownBy(() -> ask(aggregator, "/plain")).isInstanceOf(IOException.class);
            assertThat(large(aggregator, "unused")).isEqualTo(1);

            set(aggregator, "{\"upstream\":\"test\",\"fault\":\"bandwidth\",\"rate\":\"2MiB\"}");
            long began = System.nanoTime();
            HttpResponse<byte[]> slow = ask(aggregator, "/plain");
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isGreaterThanOrEqualTo(800);
            assertThat(slow.headers().firstValue("understudy-fault")).contains("on-purpose");
            assertThat(slow.body()).isEqualTo(body);
            awaitNoneLeft(aggregator);
        }
    }

    @Test
    void clientThatLeavesInTheMiddle_leavesNothingOnDisk() throws Exception {
        try (Aggregator aggregator = http()) {
            record(aggregator, "/plain");
            set(aggregator, "{\"upstream\":\"test\",\"fault\":\"bandwidth\",\"rate\":\"64KiB\"}");
            try (Socket leaving = new Socket(InetAddress.getLoopbackAddress(), debugPort(aggregator))) {
                leaving.getOutputStream()
                        .write("GET /plain HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(leaving.getInputStream().readNBytes(10_000)).hasSize(10_000);
            }
            awaitNoneLeft(aggregator);
        }
    }

    @Test
    void redis_findsItAgainAfterARestart() throws Exception {
        String get = "GET big\r\n";
        String ok = "+OK\r\n";
        String value = "x".repeat(LARGE) + "end";
        String reply = "$" + value.length() + "\r\n" + value + "\r\n";
        String set = "*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n" + reply;
        try (RedisProgram redis = RedisProgram.start()) {
            try (Aggregator aggregator = kept("redis", redis.port())) {
                assertThat(say(redis.port(), set, ok.length())).isEqualTo(ok);
                assertThat(say(aggregator.productionAddress("test").getPort(), get, reply.length()))
                        .isEqualTo(reply);
                awaitRecorded(aggregator);
            }
            try (Aggregator again = kept("redis", redis.port())) {
                Eventually.await(() -> number(again, "reloaded") == 1);
                assertThat(say(debugPort(again), get, reply.length())).isEqualTo(reply);
                awaitNoneLeft(again);
            }
        }
    }

    @Test
    void postgres_findsItAgainAfterARestart() throws Exception {
        LongText production;
        String version;
        try (Aggregator aggregator = kept("postgres", PostgresProgram.port())) {
            production = rows(aggregator.productionAddress("test").getPort());
            version = version(aggregator.productionAddress("test").getPort());
            assertThat(production.length()).isGreaterThan(LARGE);
            awaitRecorded(aggregator);
        }
        try (Aggregator again = kept("postgres", PostgresProgram.port())) {
            Eventually.await(() -> number(again, "reloaded") > 0);
            Eventually.await(() -> TestAggregator.status(again).contains("\"loading\":false"));
            assertThat(version(debugPort(again))).isEqualTo(version);
            assertThat(rows(debugPort(again))).isEqualTo(production);
            awaitNoneLeft(again);
        }
    }

    private static Connection postgres(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?sslmode=disable", "postgres", "postgres");
    }

    /** What the server says when it greets. */
    private static String version(int port) throws SQLException {
        try (Connection connection = postgres(port)) {
            return connection.getMetaData().getDatabaseProductVersion();
        }
    }

    private static LongText rows(int port) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Connection connection = postgres(port);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select n, repeat(md5(n::text), 100) from generate_series(1, 1000) as numbers(n)")) {
            while (rows.next()) {
                all.writeBytes((rows.getInt(1) + rows.getString(2)).getBytes(StandardCharsets.US_ASCII));
            }
        }
        return LongText.read(new ByteArrayInputStream(all.toByteArray()));
    }

    /** So many bytes of the answer. */
    private static String say(int port, String command, int bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
        }
    }

    private Aggregator http() throws IOException {
        return open("http", server.getAddress().getPort(), "");
    }

    private Aggregator kept(String protocol, int port) throws IOException {
        return open(protocol, port, ", disk-directory: " + folder.resolve("journals"));
    }

    private Aggregator open(String protocol, int port, String journal) throws IOException {
        Path file = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: test
                    protocol: %s
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:%d }
                    debug: { listen: 127.0.0.1:0 }
                    wait: 30s
                journal: { memory: 16MiB, large-from: 256KiB%s }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(protocol, port, journal));
        return Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()));
    }

    private void record(Aggregator aggregator, String path) throws Exception {
        get(client, "http://localhost:" + aggregator.productionAddress("test").getPort() + path);
        awaitRecorded(aggregator);
    }

    private static void awaitRecorded(Aggregator aggregator) throws Exception {
        Eventually.await(() -> large(aggregator, "unused") == 1);
    }

    private static void awaitNoneLeft(Aggregator aggregator) throws Exception {
        Eventually.await(() -> large(aggregator, "unused") == 0 && large(aggregator, "bytes") == 0);
    }

    private static long large(Aggregator aggregator, String key) {
        return AggregatorProcess.number(TestAggregator.status(aggregator).replaceAll("(?s).*\"large\":", ""), key);
    }

    private static long number(Aggregator aggregator, String key) {
        return AggregatorProcess.number(TestAggregator.status(aggregator), key);
    }

    private static int debugPort(Aggregator aggregator) {
        return ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
    }

    private HttpResponse<byte[]> ask(Aggregator aggregator, String path) throws Exception {
        return get(client, "http://localhost:" + debugPort(aggregator) + path);
    }

    private static HttpResponse<byte[]> get(HttpClient client, String uri) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofByteArray());
    }

    private void set(Aggregator aggregator, String fault) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + "/v1/faults/on-purpose");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(fault))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private static SSLContext trusting(Aggregator aggregator) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + "/v1/ca.p12");
        try (InputStream in = uri.toURL().openStream()) {
            store.load(in, "changeit".toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static byte[] packed(byte[] body) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(body);
        }
        return packed.toByteArray();
    }
}
