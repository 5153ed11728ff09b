package dev.understudy.session.target.guess;

import dev.understudy.relay.Ports;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.survey.Needs;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Probes of real servers. */
@Tag("process")
final class UpstreamProbeTest {
    private static final UpstreamProbe PROBE = new UpstreamProbe(Duration.ofSeconds(2));

    @TempDir
    Path folder;

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Test
    void postgres_isFound() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            assertThat(PROBE.of(local(postgres.getPort())))
                    .contains(new ProtocolGuess("postgres", "its reply to SSLRequest", TlsUse.NO));
        }
    }

    @Test
    void redis_isFound_withAPasswordToo() throws Exception {
        Needs.programs("redis-server");
        for (List<String> options : List.of(List.<String>of(), List.of("--requirepass", "secret"))) {
            int port = Ports.free();
            List<String> command =
                    new ArrayList<>(List.of("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", ""));
            command.addAll(options);
            Process redis = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                awaitOpen(port);
                assertThat(PROBE.of(local(port))).contains(new ProtocolGuess("redis", "its reply to PING", TlsUse.NO));
            } finally {
                redis.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void mySql_isFoundByItsGreeting() throws Exception {
        Needs.programs("mariadbd", "mariadb-install-db");
        String user = System.getProperty("user.name");
        Process install = new ProcessBuilder(
                        "mariadb-install-db", "--no-defaults", "--datadir=" + folder.resolve("data"), "--user=" + user)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(install.waitFor()).isZero();
        int port = Ports.free();
        Process server = new ProcessBuilder(
                        "mariadbd",
                        "--no-defaults",
                        "--user=" + user,
                        "--datadir=" + folder.resolve("data"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--socket=" + folder.resolve("s"),
                        "--pid-file=" + folder.resolve("p"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            awaitOpen(port);
            assertThat(PROBE.of(local(port))).contains(new ProtocolGuess("mysql", "its greeting", TlsUse.UNKNOWN));
        } finally {
            server.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void silentOrClosedServer_isUnknown() throws IOException {
        UpstreamProbe quick = new UpstreamProbe(Duration.ofMillis(100));
        int closed;
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            closed = silent.getLocalPort();
            assertThat(quick.of(local(closed))).isEmpty();
        }
        assertThat(quick.of(local(closed))).isEmpty();
    }

    private static void awaitOpen(int port) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            try (Socket socket = new Socket("127.0.0.1", port)) {
                return socket.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }
}
