package dev.understudy.relay.control;

import dev.understudy.relay.TestKeys;
import dev.understudy.relay.control.ControlCounts.Reason;
import dev.understudy.relay.tls.KeyFiles;
import dev.understudy.relay.tls.TerminateConfig;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A control port that speaks TLS, and one that asks its callers for certificates. */
@Tag("slow")
final class ControlTlsTest extends ControlStage {
    @TempDir
    Path folder;

    private TestKeys port;
    private TestKeys authority;
    private TestKeys stranger;

    @BeforeEach
    void make() throws Exception {
        port = TestKeys.make(folder, "localhost", "EC");
        authority = TestKeys.authority(folder, "authority");
        stranger = TestKeys.make(folder, "stranger", "EC");
    }

    @Test
    void caller_thatTrustsThePort_isAnsweredOverTls_andAskedForItsToken() throws Exception {
        openTls(null);
        HttpClient client = client(stranger.trusting(port));

        for (int n = 0; n < 3; n++) {
            assertThat(get(client, "/v1/echo?n=" + n).body()).isEqualTo("" + n);
        }
        assertThat(get(client, "/v1/large").body()).hasSize(3 * MEBI);
        HttpRequest body = request("/v1/body")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[MEBI]))
                .build();
        assertThat(client.send(body, BodyHandlers.ofString()).body()).isEqualTo("" + MEBI);
        HttpRequest nobody = HttpRequest.newBuilder(uri("/v1/echo")).build();
        assertThat(client.send(nobody, BodyHandlers.discarding()).statusCode()).isEqualTo(401);
        HttpRequest health = HttpRequest.newBuilder(uri("/healthz")).build();
        assertThat(client.send(health, BodyHandlers.ofString()).body()).isEqualTo("ok\n");
        assertThat(server.counts().count(Reason.HANDSHAKE)).isZero();
    }

    @Test
    void pageOfThePortsOwnHttpsOrigin_isLetIn_andAnotherOnesIsNot() throws Exception {
        openTls(null);

        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            for (String origin : List.of("https://localhost:9", "https://elsewhere:9")) {
                try (SSLSocket socket = socket(stranger.trusting(port), version)) {
                    String request = "GET /v1/echo?n=5 HTTP/1.1\r\nHost: localhost:9\r\nOrigin: " + origin + "\r\n"
                            + TOKEN + "\r\nConnection: close\r\n\r\n";
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

                    String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(reply).startsWith(origin.contains("localhost") ? "HTTP/1.1 200" : "HTTP/1.1 403");
                }
            }
        }
    }

    @Test
    void requestsInRecordsOfTheirOwn_areAllAnswered_inOrder() throws Exception {
        openTls(null);

        try (SSLSocket socket = socket(stranger.trusting(port), "TLSv1.3")) {
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int n = 0; n < 100; n++) {
                String end = n == 99 ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n";
                boolean large = n % 10 == 5; // its reply is on its way while the next record is decrypted
                String path = large ? "/v1/large" : "/v1/echo?n=" + n + ",";
                String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + end;
                int cut = n % request.length();
                byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
                socket.getOutputStream().write(bytes, 0, cut);
                socket.getOutputStream().write(bytes, cut, bytes.length - cut);
                expected.writeBytes((large ? "x" : n + ",").getBytes(StandardCharsets.US_ASCII));
            }

            String replies = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            String bodies = replies.replaceAll("(?s)HTTP/1.1 200 OK\r\n.*?\r\n\r\n", "");
            assertThat(bodies.replaceAll("x+", "x")).isEqualTo(expected.toString(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void lastReply_isFollowedByACloseNotify() throws Exception {
        openTls(null);
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try (Socket below = new Socket("localhost", server.address().getPort()) {
            @Override
            public InputStream getInputStream() throws IOException {
                return new CopyingStream(super.getInputStream(), received);
            }
        }) {
            SSLSocket socket =
                    (SSLSocket) stranger.trusting(port).getSocketFactory().createSocket(below, "localhost", 0, true);
            socket.setSoTimeout(60_000);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            String request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }

        ByteBuffer records = ByteBuffer.wrap(received.toByteArray());
        int type = 0;
        while (records.hasRemaining()) {
            type = records.get(); // RFC 5246, 6.2.1: type, version, length
            records.position(records.position() + 4 + records.getShort(records.position() + 2));
        }
        assertThat(type).as("an alert").isEqualTo(21);
    }

    /** Keeps what is read through it. */
    private static final class CopyingStream extends FilterInputStream {
        private final ByteArrayOutputStream copy;

        CopyingStream(InputStream in, ByteArrayOutputStream copy) {
            super(in);
            this.copy = copy;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = super.read(into, from, length);
            copy.write(into, from, Math.max(0, read));
            return read;
        }
    }

    @Test
    void events_areStreamedOverTls_andTheirCallersEndIsSeen() throws Exception {
        openTls(null);
        HttpResponse<InputStream> events =
                client(stranger.trusting(port)).send(request("/v1/ticks").build(), BodyHandlers.ofInputStream());

        BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8));
        for (int n = 0; n < 20; n++) {
            assertThat(lines.readLine()).isNotNull();
        }
        lines.close();
        await(() -> server.counts().connections() == 0);
    }

    @Test
    void eventsThatNobodyReads_endTheConnection() throws Exception {
        replyStall = SHORT;
        openTls(null);

        try (SSLSocket socket = socket(stranger.trusting(port), "TLSv1.3")) {
            String request = "GET /v1/floods HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

            await(() -> server.counts().count(Reason.REPLY) == 1);
            await(() -> server.counts().connections() == 0);
        }
    }

    @Test
    void caller_thatDoesntTrustThePort_isCounted() throws Exception {
        openTls(null);

        assertThatThrownBy(() -> get(client(stranger.trusting(authority)), "/v1/echo"))
                .isInstanceOf(SSLException.class);
        await(() -> server.counts().count(Reason.HANDSHAKE) == 1);
        assertThat(answered.get()).isZero();
    }

    @Test
    void olderVersions_areRefused() throws Exception {
        openTls(null);
        SSLContext context = stranger.trusting(port);

        for (String version : List.of("TLSv1", "TLSv1.1")) {
            assertThatThrownBy(() -> socket(context, version).close()).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void portWithClients_letsInWhomItsAuthorityVouchesFor() throws Exception {
        openTls(authority.files.chain());

        assertThat(get(client(authority.sign(folder, "ann").trusting(port)), "/v1/echo?n=1")
                        .body())
                .isEqualTo("1");
        assertThat(server.counts().count(Reason.HANDSHAKE)).isZero();
    }

    @Test
    void portWithClients_refusesWhomItDoesntVouchFor_alsoItsHealth() throws Exception {
        openTls(authority.files.chain());
        TestKeys impostors = TestKeys.authority(Files.createDirectory(folder.resolve("other")), "authority");
        List<SSLContext> refused = List.of(
                TestKeys.anonymous(port),
                stranger.trusting(port),
                impostors.sign(folder, "eve").trusting(port),
                authority.signExpired(folder, "bob").trusting(port));

        for (SSLContext each : refused) {
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                long before = server.counts().count(Reason.HANDSHAKE);
                assertThatThrownBy(() -> {
                            try (SSLSocket socket = socket(each, version)) {
                                socket.getOutputStream()
                                        .write("GET /healthz HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                                socket.getInputStream().readAllBytes();
                            }
                        })
                        .isInstanceOf(IOException.class);
                await(() -> server.counts().count(Reason.HANDSHAKE) == before + 1);
            }
        }
        assertThat(answered.get()).isZero();
    }

    @Test
    void plainHttp_isToldThatThePortSpeaksTls() throws Exception {
        openTls(null);
        RawCaller caller = connect();

        caller.head("GET", "/healthz");

        assertThat(caller.reply()).startsWith("HTTP/1.1 400").contains("this port speaks TLS (expected: https://)");
        assertThat(caller.isEnded()).isTrue();
        assertThat(server.counts().count(Reason.HANDSHAKE)).isEqualTo(1);
    }

    @Test
    void handshakeThatStops_endsInTime() throws Exception {
        handshake = SHORT;
        openTls(null);
        byte[] hello = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3};

        for (int sent : List.of(0, 3, hello.length)) {
            RawCaller caller = connect();
            caller.send(Arrays.copyOf(hello, sent));

            assertThat(caller.isEnded()).isTrue();
        }
        await(() -> server.counts().count(Reason.HANDSHAKE) == 3);
        await(() -> server.counts().connections() == 0);
        assertThat(server.counts().count(Reason.IDLE)).isZero();
    }

    @Test
    void handshakesThatStop_makeRoomForOthers() throws Exception {
        connections = 4;
        openTls(null);
        for (int n = 0; n < 8; n++) {
            connect().send(new byte[] {22, 3, 1});
        }

        assertThat(get(client(stranger.trusting(port)), "/v1/echo?n=1").body()).isEqualTo("1");
        assertThat(server.counts().count(Reason.EVICTED)).isEqualTo(5);
    }

    @Test
    void garbage_endsItsOwnConnectionAlone() throws Exception {
        handshake = SHORT;
        openTls(null);
        long seed = System.nanoTime();
        Random random = new Random(seed);

        for (int n = 0; n < 300; n++) {
            byte[] garbage = new byte[1 + random.nextInt(n % 10 == 0 ? 70_000 : 600)];
            random.nextBytes(garbage);
            if (n % 2 == 0) {
                garbage[0] = (byte) (20 + random.nextInt(4)); // a record's type, so that it gets further
            }
            if (n % 4 == 0 && garbage.length > 2) {
                garbage[1] = 3;
                garbage[2] = (byte) random.nextInt(4);
            }
            try (RawCaller caller = RawCaller.connect(server)) {
                try {
                    caller.send(garbage);
                } catch (SocketException closed) {
                    // by the port, that had seen enough
                }
                if (n % 30 == 0) {
                    assertThat(caller.isEnded()).as("seed %d, %d", seed, n).isTrue();
                }
            }
        }

        await(() -> server.counts().count(Reason.HANDSHAKE) == 300);
        await(() -> server.counts().connections() == 0);
        assertThat(answered.get()).as("seed %d", seed).isZero();
        SSLContext context = stranger.trusting(port);
        await(() -> isAnswered(context)); // in time: its handshakes have as little
    }

    @Test
    void renewedFiles_areTaken_andFormerOnesAreNoUse() throws Exception {
        openTls(authority.files.chain());
        Path other = Files.createDirectory(folder.resolve("renewed"));
        TestKeys renewed = TestKeys.make(other, "localhost", "EC");
        TestKeys renewedAuthority = TestKeys.authority(other, "authority");
        TestKeys ann = renewedAuthority.sign(other, "ann");
        assertThatThrownBy(() -> get(client(ann.trusting(renewed)), "/v1/echo")).isInstanceOf(IOException.class);

        renewed.replace(port);
        renewedAuthority.replace(authority);

        SSLContext context = ann.trusting(renewed);
        await(() -> isAnswered(context));
        TestKeys former = authority.sign(folder, "former"); // by the former key
        assertThatThrownBy(() -> get(client(former.trusting(renewed)), "/v1/echo"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void filesThatCantBeRead_areNamed() {
        tls = new TerminateConfig(List.of(new KeyFiles(folder.resolve("none.crt"), port.files.key())), List.of());
        assertThatThrownBy(this::open).hasMessage("control.tls: " + folder.resolve("none.crt") + " can't be read");

        tls = new TerminateConfig(List.of(port.files), List.of(), port.files.key());
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("control.tls: clients: ")
                .hasMessageContaining("localhost.key");
    }

    private void openTls(@Nullable Path clients) throws IOException {
        tls = new TerminateConfig(List.of(port.files), List.of("http/1.1"), clients);
        open();
    }

    private HttpClient client(SSLContext context) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(30))
                .sslContext(context)
                .build();
    }

    private SSLSocket socket(SSLContext context, String version) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("localhost", server.address().getPort());
        socket.setSoTimeout(60_000);
        socket.setEnabledProtocols(new String[] {version});
        socket.startHandshake();
        return socket;
    }

    private URI uri(String path) {
        return URI.create("https://localhost:" + server.address().getPort() + path);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer secret");
    }

    private HttpResponse<String> get(HttpClient client, String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private boolean isAnswered(SSLContext context) {
        try {
            return get(client(context), "/v1/echo").statusCode() == 200;
        } catch (IOException refused) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
