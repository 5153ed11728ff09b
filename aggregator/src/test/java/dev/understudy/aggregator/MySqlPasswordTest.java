package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.TestKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The full authentication of {@code caching_sha2_password}, in which MySQL's driver says the password itself within
 * TLS, to a server that asks for that. Nothing of it may stay with us.
 */
@Tag("process")
class MySqlPasswordTest {
    private static final String PASSWORD = "correct-horse-battery-staple";
    private static final String ANSWER = "out of order today" + ", and that is all there is to say".repeat(20);
    private static final int TLS = 1 << 11;

    @TempDir
    private Path folder;

    @Test
    void passwordThatIsSaidInTls_reachesTheServer_andIsKeptNowhere() throws Exception {
        TestKeys here = TestKeys.make(folder, "localhost", "EC");
        TestKeys there = TestKeys.make(folder, "db.test", "EC");
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        PrintStream before = System.err;
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Aggregator aggregator = open(listening.getLocalPort(), here, there)) {
            System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
            int port = aggregator.productionAddress("test").getPort();
            CompletableFuture<String> driver = serve(listening, there);
            assertThatThrownBy(() -> DriverManager.getConnection(
                                    "jdbc:mysql://localhost:" + port + "/app?sslMode=REQUIRED", "app", PASSWORD)
                            .close())
                    .isInstanceOf(SQLException.class)
                    .hasStackTraceContaining(ANSWER);
            assertThat(driver.get(60, TimeUnit.SECONDS)).isEqualTo(PASSWORD + "\0");

            CompletableFuture<String> byHand = serve(listening, there);
            ask(port, here);
            assertThat(byHand.get(60, TimeUnit.SECONDS)).isEqualTo(PASSWORD + "\0");
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
            // what follows that login is odd enough to be logged
            Eventually.await(() -> logged.toString(StandardCharsets.UTF_8).contains("SERVER_PUSH (replication)"));
            for (String path : List.of("/v1/status", "/v1/misses", "/v1/matches", "/metrics")) {
                assertThat(TestAggregator.get(aggregator, path)).doesNotContain(PASSWORD);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain(PASSWORD);
        try (Stream<Path> files = Files.walk(folder.resolve("journals"))) {
            List<Path> kept = files.filter(Files::isRegularFile).toList();
            assertThat(kept).as("what was asked is on disk").isNotEmpty();
            for (Path file : kept) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(PASSWORD);
            }
        }
    }

    private Aggregator open(int upstream, TestKeys here, TestKeys there) throws IOException {
        Path file = folder.resolve("aggregator.yaml");
        Files.writeString(file, """
                upstreams:
                  - name: test
                    protocol: mysql
                    production:
                      listen: 127.0.0.1:0
                      upstream: 127.0.0.1:%d
                      tls: { certificates: [{ certificate: %s, key: %s }] }
                      production-tls: { server-name: db.test, ca: %s }
                    debug: { listen: 127.0.0.1:0 }
                journal: { memory: 2MiB, disk-directory: %s, disk: 64MiB }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(
                upstream, here.files.chain(), here.files.key(), there.files.chain(), folder.resolve("journals")));
        return Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()));
    }

    /** A server of one connection that knows nobody's password yet, and has one answer; tells what it was told. */
    private static CompletableFuture<String> serve(ServerSocket listening, TestKeys keys) {
        CompletableFuture<String> said = new CompletableFuture<>();
        Thread server = new Thread(() -> {
            try (Socket plain = listening.accept()) {
                plain.setSoTimeout(60_000);
                send(plain, 0, greeting());
                assertThat(receive(plain, 1)).hasSize(32);
                SSLSocket socket = tls(plain, keys, false);
                assertThat(receive(socket, 2)).hasSizeGreaterThan(32);
                send(socket, 3, new byte[] {1, 4}); // say it all
                String password = new String(receive(socket, 4), StandardCharsets.UTF_8);
                send(socket, 5, new byte[] {0, 0, 0, 2, 0, 0, 0});
                receive(socket, 0);
                send(socket, 1, ("\u00ff\21\4#HY000" + ANSWER).getBytes(StandardCharsets.ISO_8859_1));
                said.complete(password);
                socket.getInputStream().read();
            } catch (IOException | GeneralSecurityException | RuntimeException | AssertionError e) {
                said.completeExceptionally(e);
            }
        });
        server.start();
        return said;
    }

    /** What the driver does, and then a statement whose answer is recorded. */
    private static void ask(int port, TestKeys keys) throws Exception {
        byte[] rest = "app\0\0app\0caching_sha2_password\0".getBytes(StandardCharsets.US_ASCII);
        byte[] login = ByteBuffer.allocate(32 + rest.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x0008a20d | TLS)
                .putInt(1 << 24)
                .put((byte) 45)
                .position(32)
                .put(rest)
                .array();
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
            plain.setSoTimeout(60_000);
            assertThat(receive(plain, 0)).isNotEmpty();
            send(plain, 1, Arrays.copyOf(login, 32));
            SSLSocket socket = tls(plain, keys, true);
            send(socket, 2, login);
            assertThat(receive(socket, 3)).containsExactly(1, 4);
            send(socket, 4, (PASSWORD + "\0").getBytes(StandardCharsets.UTF_8));
            assertThat(receive(socket, 5)).startsWith(0);
            send(socket, 0, "\3INSERT INTO t VALUES (1)".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(receive(socket, 1), StandardCharsets.ISO_8859_1))
                    .endsWith(ANSWER);
            send(socket, 0, new byte[] {0x12}); // a replica's
        }
    }

    private static SSLSocket tls(Socket plain, TestKeys keys, boolean client)
            throws IOException, GeneralSecurityException {
        SSLSocket socket = (SSLSocket) keys.trusting(keys).getSocketFactory().createSocket(plain, "localhost", 0, true);
        socket.setUseClientMode(client);
        return socket;
    }

    private static byte[] greeting() {
        int capabilities = 0x00ffa20f | TLS; // up to CLIENT_PLUGIN_AUTH_LENENC and session state, without compression
        byte[] version = "8.4.3\0".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + 6 + 4 + 9 + 2 + 1 + 2 + 2 + 1 + 10 + 13 + 22)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 10)
                .put(version)
                .putInt(8)
                .put("challeng\0".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) capabilities)
                .put((byte) 255)
                .putShort((short) 2)
                .putShort((short) (capabilities >> 16))
                .put((byte) 21)
                .put(new byte[10])
                .put("e-and-more12\0caching_sha2_password\0".getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    private static void send(Socket to, int number, byte[] payload) throws IOException {
        to.getOutputStream()
                .write(ByteBuffer.allocate(4 + payload.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(payload.length | number << 24)
                        .put(payload)
                        .array());
    }

    private static byte[] receive(Socket from, int number) throws IOException {
        byte[] header = from.getInputStream().readNBytes(4);
        assertThat(header).as("the header of packet %d", number).hasSize(4).endsWith(number);
        int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt() & 0xffffff;
        return from.getInputStream().readNBytes(length);
    }
}
