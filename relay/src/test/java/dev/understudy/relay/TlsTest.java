package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tls.KeyFiles;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.TerminateConfig;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** TLS on either side of a real listener, with the JDK's own sockets as client and production. */
final class TlsTest {
    private static final int MIB = 1024 * 1024;

    @TempDir
    static Path keys;

    private static TestKeys shop;
    private static TestKeys other;

    @AutoClose
    private final TlsStage stage = new TlsStage();

    @BeforeAll
    static void make() throws Exception {
        shop = TestKeys.make(keys, "shop.test", "EC");
        other = TestKeys.make(keys, "other.test", "RSA");
    }

    private Listener listen(ServerSocket production, @Nullable TerminateConfig client, @Nullable OriginateConfig there)
            throws IOException {
        return stage.listen(production, client, there, TapFactory.NONE);
    }

    private static TerminateConfig terminate() {
        return new TerminateConfig(List.of(shop.files, other.files), List.of("http/1.1"));
    }

    private static OriginateConfig originate(String name) {
        return new OriginateConfig(name, shop.files.chain(), other.files, List.of());
    }

    private static ServerSocket plain() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        return server;
    }

    private static SSLServerSocket secure() throws Exception {
        SSLServerSocket server = TlsStage.production(shop.trusting(other));
        server.setNeedClientAuth(true);
        return server;
    }

    private static Socket plainClient(Listener listener) throws IOException {
        Socket socket = new Socket();
        socket.connect(listener.address(), RelayStage.PATIENCE_MILLIS);
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        return socket;
    }

    private static SSLSocket client(Listener listener, String name, String protocol, TestKeys... trusted)
            throws Exception {
        SSLSocket socket = (SSLSocket) shop.trusting(trusted)
                .getSocketFactory()
                .createSocket(plainClient(listener), name, listener.address().getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        parameters.setProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        return socket;
    }

    private static <T> T got(CompletableFuture<T> future) throws Exception {
        return future.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clients_areRelayedByTheListenerOfTheNameThatTheyAskFor(String protocol) throws Exception {
        try (ServerSocket shops = plain();
                ServerSocket others = plain();
                Listener front = listen(shops, terminate(), null);
                Listener any = stage.behind(front, shops, "*.test");
                Listener behind = stage.behind(front, others, "pay.test", "OTHER.test")) {
            List<Socket> open = new ArrayList<>();
            for (String name : List.of("other.test", "shop.test", "other.test")) {
                SSLSocket client = client(front, name, protocol, shop, other);
                client.getOutputStream().write(name.getBytes(US_ASCII));
                Socket production = (name.equals("shop.test") ? shops : others).accept();
                assertThat(production.getInputStream().readNBytes(name.length()))
                        .asString(US_ASCII)
                        .isEqualTo(name);
                open.addAll(List.of(client, production));
            }
            assertThat(front.open()).isZero();
            assertThat(any.open()).as("the exact name comes first").isEqualTo(1);
            assertThat(behind.open()).isEqualTo(2);
            assertThat(behind.bytes(Direction.REQUEST)).isEqualTo(20);
            for (Socket socket : open) {
                socket.close();
            }
            RelayStage.await("all connections over", () -> any.open() + behind.open() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void terminatedBytes_areIdenticalBothWaysAtOnce(String protocol) throws Exception {
        try (ServerSocket production = plain();
                Listener listener = listen(production, terminate(), null);
                SSLSocket client = client(listener, "shop.test", protocol, shop)) {
            client.startHandshake();
            assertThat(client.getSession().getProtocol()).isEqualTo(protocol);
            assertThat(client.getApplicationProtocol()).isEqualTo("http/1.1");
            try (Socket server = production.accept()) {
                CompletableFuture<String> sentUp = Bytes.async(() -> Bytes.send(client.getOutputStream(), 1, 5L * MIB));
                CompletableFuture<String> sentDown =
                        Bytes.async(() -> Bytes.send(server.getOutputStream(), 2, 5L * MIB));
                CompletableFuture<String> gotDown = Bytes.async(() -> Bytes.hash(client.getInputStream(), 5L * MIB));
                CompletableFuture<String> gotUp = Bytes.async(() -> Bytes.hash(server.getInputStream(), 5L * MIB));
                assertThat(got(gotUp)).isEqualTo(got(sentUp));
                assertThat(got(gotDown)).isEqualTo(got(sentDown));
            }
            assertThat(client.getInputStream().read()).as("close_notify").isEqualTo(-1);
            assertThat(listener.bytes(Direction.REQUEST)).as("plain bytes").isEqualTo(5L * MIB);
        }
    }

    @Test
    void clientsCloseNotify_isAFin_andTheReplyStillComes() throws Exception {
        try (ServerSocket production = plain();
                Listener listener = listen(production, terminate(), null);
                SSLSocket client = client(listener, "shop.test", "TLSv1.3", shop)) {
            client.getOutputStream().write("question".getBytes(US_ASCII));
            client.shutdownOutput();
            String sent;
            try (Socket server = production.accept()) {
                assertThat(server.getInputStream().readAllBytes()).asString().isEqualTo("question");
                sent = Bytes.send(server.getOutputStream(), 3, 2L * MIB);
            }
            assertThat(Bytes.hash(client.getInputStream(), -1)).isEqualTo(sent);
            RelayStage.await("end", () -> listener.endings(CloseReason.FINISHED) == 1);
        }
    }

    @Test
    void productionsReset_reachesTheClientWithoutCloseNotify() throws Exception {
        try (ServerSocket production = plain();
                Listener listener = listen(production, terminate(), null);
                SSLSocket client = client(listener, "shop.test", "TLSv1.3", shop)) {
            client.getOutputStream().write('?');
            Socket server = production.accept();
            assertThat(server.getInputStream().read()).isEqualTo('?');
            RelayStage.reset(server);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
            RelayStage.await("end", () -> listener.endings(CloseReason.RESET_BY_PRODUCTION) == 1);
        }
    }

    @Tag("slow")
    @Test
    void certificate_isTheOneAskedFor_andReplacedWhenItsFilesAre() throws Exception {
        Path folder = Files.createDirectory(keys.resolve("changing"));
        TestKeys first = TestKeys.make(folder, "fresh.test", "EC");
        TestKeys second = TestKeys.make(Files.createDirectory(folder.resolve("b")), "fresh.test", "EC");
        TerminateConfig both = new TerminateConfig(List.of(first.files, other.files), List.of());
        try (ServerSocket production = plain();
                Listener listener = listen(production, both, null)) {
            assertThat(subject(listener, "other.test", first, other)).contains("CN=other.test");
            assertThat(subject(listener, "fresh.test", first, other)).contains("CN=fresh.test");
            assertThatThrownBy(() -> subject(listener, "fresh.test", second)).isInstanceOf(SSLException.class);

            Files.writeString(first.files.key(), "half a key");
            second.replace(first);
            RelayStage.await("the new certificate", () -> trusts(listener, second));
            assertThatThrownBy(() -> subject(listener, "fresh.test", first)).isInstanceOf(SSLException.class);
        }
    }

    private static boolean trusts(Listener listener, TestKeys trusted) {
        try {
            return subject(listener, "fresh.test", trusted).contains("fresh.test");
        } catch (SSLException notYet) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String subject(Listener listener, String name, TestKeys... trusted) throws Exception {
        try (SSLSocket client = client(listener, name, "TLSv1.3", trusted)) {
            client.startHandshake();
            X509Certificate shown = (X509Certificate) client.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName();
        }
    }

    @Test
    void originatedBytes_areIdentical_andProductionKnowsOurCertificate() throws Exception {
        try (SSLServerSocket production = secure();
                Listener listener = listen(production, null, originate("shop.test"));
                Socket client = plainClient(listener)) {
            CompletableFuture<String> sent = Bytes.async(() -> {
                String hash = Bytes.send(client.getOutputStream(), 4, 3L * MIB);
                client.shutdownOutput();
                return hash;
            });
            try (SSLSocket server = (SSLSocket) production.accept()) {
                assertThat(Bytes.hash(server.getInputStream(), -1)).isEqualTo(got(sent));
                assertThat(server.getSession().getPeerPrincipal().getName()).isEqualTo("CN=other.test");
                String answered = Bytes.send(server.getOutputStream(), 5, 3L * MIB);
                server.shutdownOutput();
                assertThat(Bytes.hash(client.getInputStream(), -1)).isEqualTo(answered);
            }
            RelayStage.await("end", () -> listener.endings(CloseReason.FINISHED) == 1);
        }
    }

    @Test
    void productionWithAnotherName_isRefused() throws Exception {
        try (SSLServerSocket production = secure();
                Listener listener = listen(production, null, originate("elsewhere.test"))) {
            CompletableFuture<Integer> handshake = Bytes.async(() -> {
                try (Socket server = production.accept()) {
                    return server.getInputStream().read();
                } catch (SSLException | SocketException refused) {
                    return -2;
                }
            });
            try (Socket client = plainClient(listener)) {
                assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            }
            assertThat(got(handshake)).isNegative();
            RelayStage.await("end", () -> listener.endings(CloseReason.CONNECT_FAILED) == 1);
        }
    }

    @Test
    void productionsFinWithoutCloseNotify_isNoEndInGoodOrder() throws Exception {
        try (ServerSocket production = plain();
                Listener listener = listen(production, null, originate("shop.test"));
                Socket client = plainClient(listener);
                Socket accepted = production.accept()) {
            SSLSocket server =
                    (SSLSocket) shop.trusting(other).getSocketFactory().createSocket(accepted, null, false);
            server.setUseClientMode(false);
            server.startHandshake();
            server.getOutputStream().write("half".getBytes(US_ASCII));
            assertThat(client.getInputStream().readNBytes(4)).asString().isEqualTo("half");
            accepted.shutdownOutput();
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            RelayStage.await("end", () -> listener.endings(CloseReason.RESET_BY_PRODUCTION) == 1);
        }
    }

    @Test
    void both_sidesMaySpeakIt() throws Exception {
        try (SSLServerSocket production = secure();
                Listener listener = listen(production, terminate(), originate("shop.test"));
                SSLSocket client = client(listener, "other.test", "TLSv1.3", other)) {
            client.getOutputStream().write("question".getBytes(US_ASCII));
            client.shutdownOutput();
            try (SSLSocket server = (SSLSocket) production.accept()) {
                assertThat(server.getInputStream().readAllBytes()).asString().isEqualTo("question");
                server.getOutputStream().write("answer".getBytes(US_ASCII));
            }
            assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("answer");
        }
    }

    @Test
    void tap_getsPlainText_ofBothDirections() throws Exception {
        Map<Direction, StringBuilder> tapped =
                Map.of(Direction.REQUEST, new StringBuilder(), Direction.REPLY, new StringBuilder());
        TapFactory taps = connection -> new Tap() {
            @Override
            public void data(Direction direction, ByteBuf data, long nanos) {
                Objects.requireNonNull(tapped.get(direction)).append(data.toString(US_ASCII));
                data.release();
            }

            @Override
            public void end(Direction direction, long nanos) {
                Objects.requireNonNull(tapped.get(direction)).append('.');
            }

            @Override
            public void closed(CloseReason reason, long nanos) {}
        };
        try (SSLServerSocket production = secure();
                Listener listener = stage.listen(production, terminate(), originate("shop.test"), taps);
                SSLSocket client = client(listener, "shop.test", "TLSv1.3", shop)) {
            client.getOutputStream().write("question".getBytes(US_ASCII));
            client.shutdownOutput();
            try (SSLSocket server = (SSLSocket) production.accept()) {
                assertThat(server.getInputStream().readAllBytes()).asString().isEqualTo("question");
                server.getOutputStream().write("answer".getBytes(US_ASCII));
            }
            assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("answer");
            RelayStage.await("end", () -> listener.open() == 0);
        }
        assertThat(tapped.get(Direction.REQUEST)).hasToString("question.");
        assertThat(tapped.get(Direction.REPLY)).hasToString("answer.");
    }

    @Test
    void stalledProduction_stopsATlsClient_withoutFillingMemory() throws Exception {
        try (ServerSocket production = plain();
                Listener listener = listen(production, terminate(), null);
                SSLSocket client = client(listener, "shop.test", "TLSv1.3", shop)) {
            CompletableFuture<String> sent = Bytes.async(() -> {
                String hash = Bytes.send(client.getOutputStream(), 6, 30L * MIB);
                client.shutdownOutput();
                return hash;
            });
            try (Socket server = production.accept()) {
                RelayStage.await("a full socket", () -> listener.bytes(Direction.REQUEST) > MIB && settled(listener));
                assertThat(sent).isNotDone();
                assertThat(stage.loops.heldBytes()).isLessThan(2 * MIB);
                assertThat(Bytes.hash(server.getInputStream(), -1)).isEqualTo(got(sent));
            }
        }
    }

    private static boolean settled(Listener listener) {
        long before = listener.bytes(Direction.REQUEST);
        long begun = System.nanoTime();
        RelayStage.await(
                "time", () -> listener.bytes(Direction.REQUEST) != before || System.nanoTime() - begun > 100_000_000L);
        return listener.bytes(Direction.REQUEST) == before;
    }

    @Test
    void clientThatSpeaksNoTls_isCountedAndClosed() throws Exception {
        try (ServerSocket production = plain();
                Listener listener = listen(production, terminate(), null);
                Socket client = plainClient(listener)) {
            client.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
            RelayStage.await("end", () -> listener.endings(CloseReason.TLS_FAILED) == 1);
            RelayStage.await("its place", () -> listener.open() == 0);
        }
    }

    @Test
    void wrongFiles_areNamedAtTheStart() throws Exception {
        Path nothing = Files.writeString(keys.resolve("nothing.pem"), "nothing");
        TerminateConfig wrong = new TerminateConfig(List.of(new KeyFiles(shop.files.chain(), nothing)), List.of());
        try (ServerSocket production = plain()) {
            assertThatThrownBy(() -> listen(production, wrong, null))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("nothing.pem");
        }
    }
}
