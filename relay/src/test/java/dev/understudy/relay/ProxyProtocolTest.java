package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig.Mode;
import dev.understudy.relay.accept.ProxyProtocolConfig.Version;
import dev.understudy.relay.accept.Subnet;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The PROXY protocol through a real listener: who is believed, who waits, and what production and debug are told. */
final class ProxyProtocolTest {
    private static final String LINE = "PROXY TCP4 192.0.2.7 198.51.100.8 4711 443\r\n";
    private static final String LOOPBACK = "127.0.0.0/8";

    private final Queue<SocketAddress> clients = new ConcurrentLinkedQueue<>();
    private EventLoops loops;
    private ServerSocket production;
    private ServerSocket debug;

    @BeforeEach
    void open() throws IOException {
        loops = RelayStage.loops(RelayStage.transport());
        production = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        debug = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        production.close();
        debug.close();
        RelayStage.await("all buffers released", () -> loops.heldBytes() == 0);
        loops.close();
    }

    private Listener listen(Mode mode, Version version, String trusted, Duration timeout) throws IOException {
        ProxyProtocolConfig proxy = new ProxyProtocolConfig(mode, version, List.of(Subnet.parse(trusted)), timeout);
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ProductionConfig there = ProductionConfig.of(new Address.Inet("127.0.0.1", production.getLocalPort()));
        DebugPeer peer = new DebugPeer(debug.getLocalSocketAddress(), Duration.ofSeconds(5));
        LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "test");
        TapFactory taps = connection -> {
            clients.add(connection.client());
            MemoryBudget budget = new MemoryBudget(1 << 20, null);
            return Lane.open(
                    connection,
                    loops.nextInbox(),
                    budget,
                    metrics,
                    lane -> new TestLane(loops, lane, peer.prefaced(lane.connection())));
        };
        return Listener.open(
                new RelayConfig("test", free, there, new AcceptConfig(5000, 0, proxy)),
                taps,
                loops,
                new SimpleMeterRegistry());
    }

    private Listener listen(Mode mode, Version version) throws IOException {
        return listen(mode, version, LOOPBACK, Duration.ofMillis(RelayStage.PATIENCE_MILLIS));
    }

    private static Socket connect(Listener listener) throws IOException {
        Socket socket = new Socket();
        socket.connect(listener.address(), RelayStage.PATIENCE_MILLIS);
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** The next client is reset, in whichever call it hears of that. */
    private static void assertReset(Listener listener) {
        assertThatThrownBy(() -> {
                    try (Socket client = connect(listener)) {
                        client.getInputStream().read();
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    }

    /** What a server got from a client that sent this and its FIN. */
    private static String got(ServerSocket server) throws IOException {
        server.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        try (Socket accepted = server.accept()) {
            accepted.setSoTimeout(RelayStage.PATIENCE_MILLIS);
            return new String(accepted.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void headerIn_namesTheClient_andNobodyElseSeesIt() throws Exception {
        try (Listener listener = listen(Mode.IN, Version.V2);
                Socket client = connect(listener)) {
            send(client, LINE + "question");
            client.shutdownOutput();
            assertThat(got(production)).isEqualTo("question");
            assertThat(got(debug)).isEqualTo("question");
            assertThat(clients).containsExactly(new InetSocketAddress("192.0.2.7", 4711));
        }
    }

    @Test
    void headerInSinglePieces_isTheSame() throws Exception {
        try (Listener listener = listen(Mode.IN, Version.V2);
                Socket client = connect(listener)) {
            for (char each : (LINE + "question").toCharArray()) {
                client.getOutputStream().write(each);
            }
            client.shutdownOutput();
            assertThat(got(production)).isEqualTo("question");
            assertThat(got(debug)).isEqualTo("question");
        }
    }

    @Test
    void headerOut_tellsProductionAndDebugOfTheSameSocket() throws Exception {
        for (Version version : Version.values()) {
            try (Listener listener = listen(Mode.OUT, version);
                    Socket client = connect(listener)) {
                send(client, "question");
                client.shutdownOutput();
                int port = listener.address().getPort();
                String expected = version == Version.V1
                        ? "PROXY TCP4 127.0.0.1 127.0.0.1 " + client.getLocalPort() + " " + port + "\r\n"
                        : new String(
                                HexFormat.of()
                                        .parseHex("0d0a0d0a000d0a515549540a2111000c7f0000017f000001%04x%04x"
                                                .formatted(client.getLocalPort(), port)),
                                ISO_8859_1);
                assertThat(got(production)).isEqualTo(expected + "question");
                assertThat(got(debug)).isEqualTo(expected + "question");
            }
        }
    }

    @Test
    void headerThrough_keepsClientAndFields() throws Exception {
        String binary = new String(
                HexFormat.of().parseHex("0d0a0d0a000d0a515549540a21110011c0000207c633640812670" + "1bb040002beef"),
                ISO_8859_1);
        try (Listener listener = listen(Mode.BOTH, Version.V2);
                Socket client = connect(listener)) {
            send(client, binary + "question");
            client.shutdownOutput();
            assertThat(got(production)).isEqualTo(binary + "question");
            assertThat(got(debug)).isEqualTo(binary + "question");
        }
        try (Listener listener = listen(Mode.BOTH, Version.V1);
                Socket client = connect(listener)) {
            send(client, binary + "question");
            client.shutdownOutput();
            assertThat(got(production)).isEqualTo(LINE + "question");
            assertThat(got(debug)).isEqualTo(LINE + "question");
        }
    }

    @Test
    void strangersHeader_isNotBelieved() throws Exception {
        try (Listener listener = listen(Mode.IN, Version.V2, "10.0.0.0/8", Duration.ofSeconds(10))) {
            assertReset(listener);
            RelayStage.await("end", () -> listener.endings(CloseReason.HEADER_UNTRUSTED) == 1);
            RelayStage.await("its place", () -> listener.open() == 0);
            assertThat(clients).isEmpty();
        }
    }

    @Test
    void clientWithoutHeader_isResetAtItsFirstByte() throws Exception {
        try (Listener listener = listen(Mode.IN, Version.V2);
                Socket client = connect(listener)) {
            send(client, "GET / HTTP/1.1\r\n\r\n");
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            RelayStage.await("end", () -> listener.endings(CloseReason.HEADER_MALFORMED) == 1);
        }
    }

    @Test
    void slowHeader_isResetInTime_howeverItDribbles() throws Exception {
        try (Listener listener = listen(Mode.IN, Version.V2, LOOPBACK, Duration.ofMillis(300));
                Socket client = connect(listener)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> {
                        for (int n = 0; n < LINE.length(); n++) {
                            send(client, LINE.substring(n, n + 1));
                            long sent = System.nanoTime();
                            RelayStage.await("time", () -> System.nanoTime() - sent > 50_000_000L);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(System.nanoTime() - begun).isGreaterThan(300_000_000L);
            RelayStage.await("end", () -> listener.endings(CloseReason.HEADER_LATE) == 1);
        }
    }

    @Test
    void waitingForHeaders_isBoundedInNumber() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (Listener listener = listen(Mode.IN, Version.V2)) {
            for (int n = 0; n < Greeter.MOST_WAITING; n++) {
                silent.add(connect(listener));
            }
            RelayStage.await("all accepted", () -> listener.open() == Greeter.MOST_WAITING);
            assertReset(listener);
            send(silent.get(0), LINE + "question");
            silent.get(0).shutdownOutput();
            assertThat(got(production)).isEqualTo("question");
            assertThat(got(debug)).isEqualTo("question");
            assertThat(listener.drain(Duration.ofMillis(50))).isFalse();
            RelayStage.await("all ended", () -> listener.open() == 0);
            assertThat(listener.endings(CloseReason.SHUTDOWN)).isGreaterThan(1000);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void checkThatConnectsAndLeaves_isNoFault() throws Exception {
        try (Listener listener = listen(Mode.IN, Version.V2)) {
            connect(listener).close();
            RelayStage.await("end", () -> listener.endings(CloseReason.FINISHED) == 1);
            try (Socket half = connect(listener)) {
                send(half, "PROXY T");
            }
            RelayStage.await("end", () -> listener.endings(CloseReason.HEADER_MALFORMED) == 1);
            try (Socket leaving = connect(listener)) {
                send(leaving, "PROXY T");
                RelayStage.await("accepted", () -> listener.opened() == 3);
                RelayStage.reset(leaving);
            }
            RelayStage.await("end", () -> listener.endings(CloseReason.RESET_BY_CLIENT) == 1);
        }
    }
}
