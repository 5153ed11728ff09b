package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.TestKeys;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.sidecar.config.DebugTarget;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A debug JVM that speaks TLS 1.3 and nothing else. */
final class SidecarDebugTlsTest {
    private static final HttpService.Answer JSON = (asked, exchange) -> HttpService.reply(exchange, 200, "{\"id\":7}");

    @TempDir
    static Path folder;

    private static TestKeys debugs;
    private static TestKeys others;

    @BeforeAll
    static void make() throws Exception {
        debugs = TestKeys.make(folder, "debug.test", "EC");
        others = TestKeys.make(folder, "other.test", "EC");
    }

    private static Stage stage(
            InetSocketAddress production, InetSocketAddress debug, ListenerConfig.Framing framing, Path authorities)
            throws Exception {
        OriginateConfig tls = new OriginateConfig("debug.test", authorities, null, List.of());
        ListenerConfig plain = Stage.listener(production, debug, framing, ListenerConfig.Order.CAUSAL);
        return Stage.open(
                new ListenerConfig(
                        plain.name(),
                        plain.listen(),
                        plain.production(),
                        List.of(new DebugTarget("debug", debug, tls, null)),
                        framing,
                        plain.order(),
                        plain.accept(),
                        plain.tee()),
                Stage.WINDOW,
                new TelemetryConfig("", "sidecar-test", true, ""));
    }

    @Test
    void exchanges_areCompared() throws Exception {
        try (HttpService production = HttpService.answering(JSON);
                HttpService debug = HttpService.secured(debugs.trusting(), JSON);
                Stage stage = stage(
                        production.address(), debug.address(), ListenerConfig.Framing.HTTP, debugs.files.chain())) {
            for (int i = 0; i < 20; i++) {
                assertThat(stage.get("/orders/" + i).body()).isEqualTo("{\"id\":7}");
            }

            JsonNode status = stage.awaitStatus("20 verdicts", s -> Stage.total(s) == 20);
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).isZero();
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt()).isZero();
            assertThat(status.at("/lanes/failedHandshakes").asInt()).isZero();
            assertThat(debug.asked).hasSize(20);
        }
    }

    @Test
    void wrongCertificate_isSaidAndCounted_andNothingIsLostOnceItIsRight() throws Exception {
        Path authorities = folder.resolve("authorities.crt");
        Files.copy(others.files.chain(), authorities, StandardCopyOption.REPLACE_EXISTING);
        try (HttpService production = HttpService.answering(JSON);
                HttpService debug = HttpService.secured(debugs.trusting(), JSON);
                Stage stage = stage(production.address(), debug.address(), ListenerConfig.Framing.HTTP, authorities)) {
            for (int i = 0; i < 20; i++) {
                assertThat(stage.get("/orders/" + i).body()).isEqualTo("{\"id\":7}");
            }

            JsonNode status = stage.awaitStatus(
                    "several attempts", s -> s.at("/lanes/failedHandshakes").asInt() > 2);
            assertThat(status.at("/lanes/unreachable").asInt()).isEqualTo(1);
            assertThat(status.at("/lanes/obstacle").asText())
                    .startsWith("TLS: ")
                    .contains("certification path");
            assertThat(stage.controlText("/metrics").body())
                    .contains("understudy_debug_handshakes_failed_total{listener=\"orders\"}");
            assertThat(debug.asked).isEmpty();

            Files.copy(debugs.files.chain(), authorities, StandardCopyOption.REPLACE_EXISTING);
            JsonNode mended = stage.awaitStatus("20 verdicts", s -> Stage.total(s) == 20);
            assertThat(mended.at("/verdicts/NOT_COMPARED").asInt()).isZero();
            assertThat(mended.at("/lanes/obstacle").asText()).isEmpty();
        }
    }

    @Test
    void halfClose_isACloseNotify_afterWhichDebugIsStillRead() throws Exception {
        try (SSLServerSocket debug = (SSLServerSocket) debugs.trusting()
                        .getServerSocketFactory()
                        .createServerSocket(0, 5, InetAddress.getLoopbackAddress());
                PlainServer production = PlainServer.open(socket -> {
                    String asked = PlainServer.readAll(socket);
                    PlainServer.write(socket, "to " + asked);
                });
                Stage stage = stage(
                        production.address(),
                        (InetSocketAddress) debug.getLocalSocketAddress(),
                        ListenerConfig.Framing.TCP,
                        debugs.files.chain())) {
            debug.setEnabledProtocols(new String[] {"TLSv1.3"});
            debug.setSoTimeout(60_000);
            CompletableFuture<String> told = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = debug.accept()) {
                    String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    // more than sockets hold: somebody reads it
                    socket.getOutputStream().write(new byte[16 << 20]);
                    return all;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (Socket client = stage.connect()) {
                PlainServer.write(client, "a question");
                client.shutdownOutput();
                assertThat(PlainServer.readAll(client)).isEqualTo("to a question");
            }
            assertThat(told.get(60, TimeUnit.SECONDS)).isEqualTo("a question");
            JsonNode status =
                    stage.awaitStatus("no lane", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.get("losses")).isEmpty();
        }
    }
}
