package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.TerminateConfig;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a client and production speak is the same, although each agrees on it with the listener only. */
final class AlpnTest {
    @TempDir
    static Path folder;

    private static TestKeys keys;

    @AutoClose
    private final TlsStage stage = new TlsStage();

    @BeforeAll
    static void make() throws Exception {
        keys = TestKeys.make(folder, "shop.test", "EC");
    }

    @ParameterizedTest
    @CsvSource({
        "h2 http/1.1, h2 http/1.1, h2",
        "http/1.1,    h2 http/1.1, http/1.1",
        "h2 http/1.1, http/1.1,    http/1.1",
        "h2 http/1.1, h2,          h2",
    })
    void whatTheClientAgreedOn_isWhatProductionIsOffered(String client, String listener, String agreed)
            throws Exception {
        try (SSLServerSocket production = production("http/1.1", "h2");
                Listener relay = listen(production, listener);
                SSLSocket socket = client(relay, client)) {
            CompletableFuture<String> spoken = handshake(production);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(agreed);
            assertThat(spoken.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo(agreed);
        }
    }

    @Test
    void clientWithoutAlpn_leavesItToWhatIsSet() throws Exception {
        try (SSLServerSocket production = production("h2", "of-old");
                Listener relay = listen(production, "h2 http/1.1");
                SSLSocket socket = client(relay, "")) {
            CompletableFuture<String> spoken = handshake(production);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEmpty();
            assertThat(spoken.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo("of-old");
        }
    }

    @Test
    void productionWithoutAlpn_isTakenToSpeakHttp1() throws Exception {
        try (SSLServerSocket production = production();
                Listener relay = listen(production, "h2 http/1.1");
                SSLSocket socket = client(relay, "http/1.1")) {
            CompletableFuture<String> spoken = handshake(production);
            socket.startHandshake();
            assertThat(spoken.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEmpty();
            socket.getOutputStream().write('?');
            RelayStage.await(
                    "a relayed byte", () -> relay.endings(CloseReason.CONNECT_FAILED) == 0 && relay.open() == 1);
        }
    }

    @Test
    void productionThatSpeaksNoHttp2_doesntGetIt() throws Exception {
        try (SSLServerSocket production = production();
                Listener relay = listen(production, "h2 http/1.1");
                SSLSocket socket = client(relay, "h2")) {
            CompletableFuture<String> spoken = handshake(production);
            socket.startHandshake();
            assertThatThrownBy(() -> {
                        socket.getOutputStream().write(1);
                        socket.getInputStream().read();
                    })
                    .isInstanceOf(IOException.class);
            assertThat(spoken.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEmpty();
            RelayStage.await("end", () -> relay.endings(CloseReason.CONNECT_FAILED) == 1);
        }
    }

    /** One that knows no ALPN, and one that refuses what it doesn't speak; more clients than take an address down. */
    @ParameterizedTest
    @ValueSource(strings = {"", "http/1.1"})
    void productionThatSpeaksNoHttp2_isntHeldToBeDown(String spoken) throws Exception {
        int clients = 5;
        try (SSLServerSocket production = spoken.isEmpty() ? production() : production(spoken);
                Listener relay = listen(production, "h2 http/1.1")) {
            for (int n = 1; n <= clients; n++) {
                int ended = n;
                CompletableFuture<Boolean> served = Bytes.async(() -> shaken(production));
                try (SSLSocket socket = client(relay, "h2")) {
                    socket.startHandshake();
                    RelayStage.await("end", () -> relay.endings(CloseReason.CONNECT_FAILED) == ended);
                }
                served.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
            assertThat(relay.production()).singleElement().satisfies(target -> {
                assertThat(target.up()).isTrue();
                assertThat(target.failed()).isZero();
            });
        }
    }

    private static boolean shaken(SSLServerSocket production) throws IOException {
        try (SSLSocket accepted = (SSLSocket) production.accept()) {
            accepted.startHandshake();
            return accepted.getInputStream().read() < 0;
        } catch (SSLException | SocketException refused) {
            return false;
        }
    }

    private static CompletableFuture<String> handshake(SSLServerSocket production) {
        return Bytes.async(() -> {
            SSLSocket accepted = (SSLSocket) production.accept();
            accepted.startHandshake();
            return accepted.getApplicationProtocol();
        });
    }

    private static SSLServerSocket production(String... protocols) throws Exception {
        SSLServerSocket server = TlsStage.production(keys.trusting(keys));
        SSLParameters parameters = server.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        server.setSSLParameters(parameters);
        return server;
    }

    private Listener listen(SSLServerSocket production, String protocols) throws IOException {
        OriginateConfig there =
                new OriginateConfig("shop.test", keys.files.chain(), null, List.of("of-old", "http/1.1"));
        return stage.listen(
                production, new TerminateConfig(List.of(keys.files), words(protocols)), there, TapFactory.NONE);
    }

    private static SSLSocket client(Listener listener, String protocols) throws Exception {
        SSLSocket socket = (SSLSocket) keys.trusting(keys)
                .getSocketFactory()
                .createSocket(
                        listener.address().getAddress(), listener.address().getPort());
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(words(protocols).toArray(String[]::new));
        socket.setSSLParameters(parameters);
        return socket;
    }

    private static List<String> words(String spaced) {
        return spaced.isEmpty() ? List.of() : List.of(spaced.split(" ", -1));
    }
}
