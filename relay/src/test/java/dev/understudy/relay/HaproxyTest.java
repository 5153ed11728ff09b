package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig.Mode;
import dev.understudy.relay.accept.ProxyProtocolConfig.Version;
import dev.understudy.relay.accept.Subnet;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** PROXY headers of and for a real HAProxy; skipped where there is none. */
@Tag("process")
final class HaproxyTest {
    private static final Path HAPROXY = Path.of("/usr/sbin/haproxy");

    @TempDir
    Path folder;

    @BeforeEach
    void need() {
        assumeTrue(Files.isExecutable(HAPROXY), "skipped: no " + HAPROXY + " (package haproxy)");
    }

    /**
     * Client, HAProxy with that word, our listener, HAProxy that accepts a header and writes a version 1 one, server.
     */
    @ParameterizedTest
    @CsvSource({"send-proxy,V1", "send-proxy-v2,V2", "send-proxy-v2-ssl,V2", "send-proxy,V2", "send-proxy-v2,V1"})
    void client_isKnownToTheEnd(String word, Version version) throws Exception {
        int front = Ports.free();
        int back = Ports.free();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                EventLoops loops = RelayStage.loops(RelayStage.transport());
                Listener listener = listen(loops, back, version)) {
            Process haproxy =
                    start("""
                    defaults
                      mode tcp
                      timeout connect 60s
                      timeout client 60s
                      timeout server 60s
                    listen front
                      bind 127.0.0.1:%d
                      server relay 127.0.0.1:%d %s
                    listen back
                      bind 127.0.0.1:%d accept-proxy
                      server end 127.0.0.1:%d send-proxy
                    """.formatted(front, listener.address().getPort(), word, back, server.getLocalPort()));
            try (Socket client = connect(front)) {
                client.getOutputStream().write("question".getBytes(ISO_8859_1));
                client.shutdownOutput();
                server.setSoTimeout(RelayStage.PATIENCE_MILLIS);
                try (Socket accepted = server.accept()) {
                    assertThat(new String(accepted.getInputStream().readAllBytes(), ISO_8859_1))
                            .isEqualTo("PROXY TCP4 127.0.0.1 127.0.0.1 " + client.getLocalPort() + " " + front
                                    + "\r\nquestion");
                }
            } finally {
                haproxy.destroyForcibly().waitFor();
            }
        }
    }

    private static Listener listen(EventLoops loops, int production, Version version) throws IOException {
        ProxyProtocolConfig proxy =
                new ProxyProtocolConfig(Mode.BOTH, version, List.of(Subnet.parse("127.0.0.1")), Duration.ofSeconds(60));
        return Listener.open(
                new RelayConfig(
                        "test",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ProductionConfig.of(new Address.Inet("127.0.0.1", production)),
                        new AcceptConfig(100, 0, proxy)),
                TapFactory.NONE,
                loops,
                new SimpleMeterRegistry());
    }

    private Process start(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), config);
        return new ProcessBuilder(HAPROXY.toString(), "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.log").toFile())
                .start();
    }

    private static Socket connect(int port) {
        Socket[] socket = new Socket[1];
        RelayStage.await("HAProxy", () -> {
            try {
                socket[0] = new Socket(InetAddress.getLoopbackAddress(), port);
                return true;
            } catch (IOException notYet) {
                return false;
            }
        });
        return socket[0];
    }
}
