package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What production sees, and what is counted, when something is wrong: always as if the aggregator weren't there. */
class FaultsTest {
    private static final String HTTP_REQUEST = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HTTP_REPLY = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    private final ExecutorService serving = Executors.newCachedThreadPool();
    private ServerSocket server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        serving.execute(this::accept);
        aggregator = TestAggregator.open("http", server.getLocalPort(), "wait: 30s");
    }

    @AfterEach
    void stop() throws IOException {
        aggregator.close();
        server.close();
        serving.shutdownNow();
    }

    @Test
    void upstreamThatIsDown_isAClosedConnectionForProductionAndAMissForDebug() throws Exception {
        impatient();
        int port = server.getLocalPort();
        server.close();
        // a thread that stands in accept() may still take a connection
        Eventually.await(() -> refuses(port));
        try (Socket production = connect(aggregator.productionAddress("test"))) {
            assertThat(readOrReset(production)).isEmpty();
        }
        try (Socket debug = connect((InetSocketAddress) aggregator.debugAddress("test"))) {
            assertThat(ask(debug, HTTP_REQUEST)).startsWith("HTTP/1.1 502");
        }
    }

    @Test
    void upstreamThatBreaksOffWithinAReply_isCountedAndNotReplayed() throws Exception {
        impatient();
        try (Socket production = connect(aggregator.productionAddress("test"))) {
            production.getOutputStream().write("GET /break HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(readOrReset(production)).endsWith("\r\n\r\nh");
        }
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"unframed\":{\"INCOMPLETE\":1}"));
        try (Socket debug = connect((InetSocketAddress) aggregator.debugAddress("test"))) {
            assertThat(ask(debug, "GET /break HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502");
        }
    }

    @Test
    void clientThatLeavesWithinARequest_harmsNobody() throws Exception {
        try (Socket production = connect(aggregator.productionAddress("test"))) {
            production
                    .getOutputStream()
                    .write("POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\nhal".getBytes(StandardCharsets.US_ASCII));
        }
        try (Socket debug = connect((InetSocketAddress) aggregator.debugAddress("test"))) {
            debug.getOutputStream()
                    .write("POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\nhal".getBytes(StandardCharsets.US_ASCII));
        }
        // the server may have answered before the client was gone
        Eventually.await(() -> TestAggregator.status(aggregator)
                .matches("(?s).*\"unframed\":\\{\"(INCOMPLETE|ANSWERED_EARLY)\":1}.*"));
        assertWorks();
    }

    @Test
    void debugClientThatLeavesWhileItWaits_leavesTheReplyToTheNext() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open("http", server.getLocalPort(), "wait: 30s");
        try (Socket debug = connect((InetSocketAddress) aggregator.debugAddress("test"))) {
            debug.getOutputStream().write(HTTP_REQUEST.getBytes(StandardCharsets.US_ASCII));
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        }
        Eventually.await(
                () -> TestAggregator.status(aggregator).contains("\"connections\":1,\"open\":0,\"refused\":0,"));
        assertWorks();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "redis", "postgres"})
    void garbageOnBothPorts_harmsNobodyElse(String protocol) throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open(protocol, server.getLocalPort(), "wait: 50ms");
        Random random = new Random(81);
        for (int i = 0; i < 20; i++) {
            byte[] garbage = new byte[1 + random.nextInt(2000)];
            random.nextBytes(garbage);
            for (InetSocketAddress port : new InetSocketAddress[] {
                aggregator.productionAddress("test"), (InetSocketAddress) aggregator.debugAddress("test")
            }) {
                try (Socket socket = connect(port)) {
                    socket.getOutputStream().write(garbage);
                    socket.shutdownOutput();
                    readOrReset(socket);
                }
            }
        }
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"connections\":20,\"open\":0"));
        assertThat(TestAggregator.status(aggregator)).doesNotContain("INTERNAL").contains("\"replayed\":0");
        try (Socket production = connect(aggregator.productionAddress("test"))) {
            assertThat(ask(production, HTTP_REQUEST)).isEqualTo(HTTP_REPLY);
        }
    }

    @Test
    void restart_takesConnectionsAtOnceOnTheSamePorts() throws Exception {
        String listening = "production: { listen: 127.0.0.1:" + Ports.free() + ", upstream: 127.0.0.1:"
                + server.getLocalPort() + " }";
        aggregator.close();
        aggregator = TestAggregator.open("http", 0, "wait: 30s", listening);
        assertWorks();
        try (Socket broken = connect(aggregator.productionAddress("test"))) {
            assertThat(ask(broken, HTTP_REQUEST)).isEqualTo(HTTP_REPLY);
            aggregator.close();
            assertThat(readOrReset(broken)).isEmpty();
        }
        aggregator = TestAggregator.open("http", 0, "wait: 30s", listening);
        assertWorks();
    }

    @ParameterizedTest
    @ValueSource(strings = {"production", "debug"})
    void takenPort_isNamedAndNothingStaysOpen(String side) throws IOException {
        String taken = "127.0.0.1:" + server.getLocalPort();
        String setting = side.equals("debug")
                ? "debug: { listen: " + taken + " }"
                : "production: { listen: " + taken + ", upstream: 127.0.0.1:1 }";

        assertThatThrownBy(() -> TestAggregator.open("http", 1, setting))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(server.getLocalPort()))
                .hasMessageContaining("test");
    }

    /** Nothing that production was told is asked for. */
    private void impatient() throws IOException {
        aggregator.close();
        aggregator = TestAggregator.open("http", server.getLocalPort(), "wait: 1ms");
    }

    private void assertWorks() throws IOException {
        try (Socket production = connect(aggregator.productionAddress("test"));
                Socket debug = connect((InetSocketAddress) aggregator.debugAddress("test"))) {
            assertThat(ask(production, HTTP_REQUEST)).isEqualTo(HTTP_REPLY);
            assertThat(ask(debug, HTTP_REQUEST)).isEqualTo(HTTP_REPLY);
        }
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                serving.execute(() -> serve(socket));
            }
        } catch (IOException e) {
            // the test's end
        }
    }

    /** Answers whatever comes, once per read; breaks off where asked. */
    private static void serve(Socket accepted) {
        try (Socket socket = accepted) {
            byte[] buffer = new byte[4096];
            for (int n = socket.getInputStream().read(buffer);
                    n > 0;
                    n = socket.getInputStream().read(buffer)) {
                boolean breaks = new String(buffer, 0, n, StandardCharsets.ISO_8859_1).startsWith("GET /break");
                String reply = breaks ? HTTP_REPLY.substring(0, HTTP_REPLY.length() - 1) : HTTP_REPLY;
                socket.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
                if (breaks) {
                    return;
                }
            }
        } catch (IOException e) {
            // the client's or the test's end
        }
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static String ask(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        byte[] buffer = new byte[4096];
        int length = socket.getInputStream().read(buffer);
        return new String(buffer, 0, Math.max(0, length), StandardCharsets.US_ASCII);
    }

    private static boolean refuses(int port) {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !probe.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }

    /** All that comes until the connection's end, whichever end it is. */
    private static String readOrReset(Socket socket) throws IOException {
        StringBuilder read = new StringBuilder();
        byte[] buffer = new byte[4096];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n > 0;
                    n = socket.getInputStream().read(buffer)) {
                read.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
        return read.toString();
    }
}
