package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.config.AggregatorConfig;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Debug clients that speak TLS, with real drivers that check the certificate, beside those that don't. */
@Tag("process")
class DebugTlsTest {
    @TempDir
    Path folder;

    @Test
    void pgjdbc_verifiesTheAuthority_byNameAndByAddress() throws Exception {
        try (PostgresSides sides = new PostgresSides("wait: 30s")) {
            Path ca = certificate(sides.aggregator);
            try (Connection production = sides.production("sslmode=disable")) {
                for (int i = 0; i < 3; i++) {
                    assertThat(version(production)).isPositive();
                }
            }
            for (String host : List.of("localhost", "127.0.0.1")) {
                try (Connection debug = verified(sides, host, ca)) {
                    assertThat(version(debug)).isPositive();
                }
            }
            try (Connection debug = sides.debug("sslmode=disable")) {
                assertThat(version(debug)).isPositive();
            }
            assertThat(TestAggregator.status(sides.aggregator)).contains("\"tls\":{\"failed\":0,\"succeeded\":2}");
        }
    }

    @Test
    void pgjdbc_refusesAnotherAuthority() throws Exception {
        try (PostgresSides sides = new PostgresSides("wait: 30s");
                PostgresSides others = new PostgresSides("wait: 30s")) {
            Path ca = certificate(others.aggregator);

            assertThatThrownBy(() -> verified(sides, "localhost", ca))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("SSL error");
        }
    }

    @Test
    void libpq_speaksTlsFromTheFirstByte_whereItsVersionCan() throws Exception {
        try (PostgresSides sides = new PostgresSides("wait: 30s")) {
            Path ca = certificate(sides.aggregator);
            String shaken = run(
                    "openssl",
                    "s_client",
                    "-connect",
                    "127.0.0.1:" + sides.debugPort(),
                    "-CAfile",
                    ca.toString(),
                    "-verify_return_error",
                    "-verify_ip",
                    "127.0.0.1",
                    "-alpn",
                    "postgresql");
            assertThat(shaken).contains("Verify return code: 0 (ok)").contains("ALPN protocol: postgresql");
            String asked = run(
                    "openssl",
                    "s_client",
                    "-starttls",
                    "postgres",
                    "-connect",
                    "localhost:" + sides.debugPort(),
                    "-CAfile",
                    ca.toString(),
                    "-servername",
                    "any.name.example",
                    "-verify_hostname",
                    "any.name.example");
            assertThat(asked).as("made out to the name that was asked for").contains("Verify return code: 0 (ok)");
        }
    }

    @Test
    void http_isSpokenWithAndWithoutTlsOnOnePort() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try (Aggregator aggregator =
                TestAggregator.open("http", server.getAddress().getPort(), "wait: 30s")) {
            int port = ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
            HttpClient plain = HttpClient.newHttpClient();
            for (int i = 0; i < 3; i++) {
                get(
                        plain,
                        "http://localhost:"
                                + aggregator.productionAddress("test").getPort() + "/a");
            }
            HttpClient trusting =
                    HttpClient.newBuilder().sslContext(trusting(aggregator)).build();

            HttpResponse<String> replayed = get(trusting, "https://localhost:" + port + "/a");
            assertThat(replayed.body()).isEqualTo("hello");
            assertThat(replayed.sslSession()).isPresent();
            assertThat(get(plain, "http://localhost:" + port + "/a").body()).isEqualTo("hello");
            Path ca = certificate(aggregator);
            assertThat(run(
                            "curl",
                            "-s",
                            "-H",
                            "Accept:",
                            "--cacert",
                            ca.toString(),
                            "https://localhost:" + port + "/a"))
                    .isEqualTo("hello");
            assertThatThrownBy(() -> get(plain, "https://localhost:" + port + "/a"))
                    .isInstanceOf(SSLHandshakeException.class);
            Eventually.await(
                    () -> TestAggregator.status(aggregator).contains("\"tls\":{\"failed\":1,\"succeeded\":2}"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void redis_isSpokenInTls() throws Exception {
        RedisClient lettuce = RedisClient.create();
        try (RedisProgram redis = RedisProgram.start();
                Aggregator aggregator = TestAggregator.open("redis", redis.port(), "wait: 30s")) {
            try (StatefulRedisConnection<String, String> production = lettuce.connect(RedisURI.create(
                    "127.0.0.1", aggregator.productionAddress("test").getPort()))) {
                production.sync().set("k", "v");
                assertThat(production.sync().get("k")).isEqualTo("v");
            }
            lettuce.setOptions(ClientOptions.builder()
                    .sslOptions(SslOptions.builder()
                            .truststore(truststore(aggregator).toFile(), "changeit")
                            .build())
                    .build());
            RedisURI secured = RedisURI.builder()
                    .withHost("localhost")
                    .withPort(((InetSocketAddress) aggregator.debugAddress("test")).getPort())
                    .withSsl(true)
                    .withVerifyPeer(SslVerifyMode.FULL)
                    .build();
            try (StatefulRedisConnection<String, String> debug = lettuce.connect(secured)) {
                assertThat(debug.sync().set("k", "v")).isEqualTo("OK");
                assertThat(debug.sync().get("k")).isEqualTo("v");
            }
        } finally {
            lettuce.shutdown(0, 5, TimeUnit.SECONDS);
        }
    }

    @Test
    void authority_isKeptInItsFolder_andItsKeyIsItsOwners() throws Exception {
        Path kept = folder.resolve("authority");
        byte[] first = startedWith(kept);
        Path key = kept.resolve("ca.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(Files.readAllBytes(kept.resolve("ca.crt"))).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept.resolve("truststore.p12"))))
                .isEqualTo("rw-r--r--");

        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(startedWith(kept)).as("after a restart").isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");

        Files.writeString(key, "something else");
        assertThatThrownBy(() -> startedWith(kept))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ca.key");
    }

    /** What the authority of an aggregator is that keeps it in this folder. */
    private byte[] startedWith(Path kept) throws IOException {
        Path file = folder.resolve("aggregator.yaml");
        Files.writeString(file, """
                upstreams:
                  - name: test
                    protocol: http
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:1 }
                    debug: { listen: 127.0.0.1:0 }
                debug-tls: { folder: %s, names: [orders-db, 10.9.8.7] }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(kept));
        try (Aggregator aggregator = Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()))) {
            return Files.readAllBytes(certificate(aggregator));
        }
    }

    private static Connection verified(PostgresSides sides, String host, Path ca) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + host + ":" + sides.debugPort() + "/postgres?sslmode=verify-full&sslrootcert="
                        + ca,
                "nobody-knows",
                "wrong");
    }

    private static long version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT current_setting('server_version_num')::int + 0")) {
            row.next();
            return row.getLong(1);
        }
    }

    private Path certificate(Aggregator aggregator) throws IOException {
        Path file = Files.createTempFile(folder, "ca", ".crt");
        return Files.write(file, bytes(aggregator, "/v1/ca.crt"));
    }

    private Path truststore(Aggregator aggregator) throws IOException {
        return Files.write(folder.resolve("truststore.p12"), bytes(aggregator, "/v1/ca.p12"));
    }

    private static byte[] bytes(Aggregator aggregator, String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + path);
        try (var in = uri.toURL().openStream()) {
            return in.readAllBytes();
        }
    }

    private static SSLContext trusting(Aggregator aggregator) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(bytes(aggregator, "/v1/ca.p12")), "changeit".toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static HttpResponse<String> get(HttpClient client, String uri) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
