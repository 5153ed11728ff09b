package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** How many debug connections there may be, for how long, and what may wait to be read by their clients. */
class DebugConnectionsTest {
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

    private final List<Socket> sockets = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void connectionsBeyondTheGreatestNumber_areClosed_overAllUpstreams() throws Exception {
        try (ServerSocket upstream = new ServerSocket(0);
                Aggregator aggregator = open(upstream.getLocalPort(), "max-connections=2")) {
            Socket first = debug(aggregator, "a");
            assertThat(answer(first, PING)).isEqualTo("+PONG\r\n");
            assertThat(answer(debug(aggregator, "b"), PING)).isEqualTo("+PONG\r\n");

            assertThat(answer(debug(aggregator, "b"), PING)).isEmpty();

            assertThat(TestAggregator.status(aggregator)).contains("\"refused\":1,\"limited\":{\"CONNECTIONS\":1}");
            for (int n = 0; n < 5; n++) {
                connect(aggregator.productionAddress("a"));
                sockets.add(upstream.accept()); // production's are as many as come
            }
            first.close();
            Eventually.await(() -> answer(debug(aggregator, "a"), PING).equals("+PONG\r\n"));
        }
    }

    @Test
    void connectionForWhichThereIsNoMemory_isClosed_andTheOthersGoOn() throws Exception {
        try (Aggregator aggregator = open(1, "memory=40KiB")) {
            Socket first = debug(aggregator, "a");
            Socket second = debug(aggregator, "b");
            assertThat(answer(first, PING)).isEqualTo("+PONG\r\n");
            assertThat(answer(second, PING)).isEqualTo("+PONG\r\n");

            assertThat(answer(debug(aggregator, "a"), PING)).isEmpty();
            assertThat(answer(debug(aggregator, "a"), PING)).isEmpty();

            assertThat(TestAggregator.status(aggregator))
                    .contains("\"limited\":{\"MEMORY\":2}")
                    .contains("\"capacityBytes\":40960");
            assertThat(answer(first, PING)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void outputThatWaitsForItsReader_endsTheConnectionAtItsBound() throws Exception {
        try (Aggregator aggregator = open(1, "connection-memory=4MiB")) {
            int topics = 20_000;
            String unsubscribe = "*" + (topics + 1) + "\r\n$11\r\nUNSUBSCRIBE\r\n" + "$1\r\na\r\n".repeat(topics);

            assertThat(answer(debug(aggregator, "a"), unsubscribe.getBytes(StandardCharsets.US_ASCII)))
                    .isEmpty();

            Eventually.await(() ->
                    TestAggregator.status(aggregator).matches("(?s).*\"limited\":\\{\"CONNECTION_MEMORY\":\\d+}.*"));
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"usedBytes\":0}"));
        }
    }

    @Test
    void tlsThatIsBegun_isCharged_andClosedBeyondTheBound() throws Exception {
        byte[] begun = {0x16, 3, 1, 2, 0, 1, 0, 1};
        try (Aggregator aggregator = open(1, "memory=150KiB")) {
            debug(aggregator, "a").getOutputStream().write(begun);
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"usedBytes\":81920}"));
            Socket second = debug(aggregator, "b");

            assertThat(answer(second, begun)).isEmpty();

            assertThat(TestAggregator.status(aggregator)).contains("\"limited\":{\"MEMORY\":1}");
        }
    }

    @Test
    void clientThatDoesNotLogIn_isClosed() throws Exception {
        try (Aggregator aggregator = open("postgres", 1, "login-timeout=300ms")) {
            assertThat(debug(aggregator, "a").getInputStream().read()).isEqualTo(-1);

            assertThat(TestAggregator.status(aggregator)).contains("\"limited\":{\"LOGIN_TIME\":1}");
        }
    }

    @Test
    void silentConnection_isClosedInTheEnd() throws Exception {
        try (Aggregator aggregator = open(1, "idle-timeout=300ms")) {
            assertThat(debug(aggregator, "a").getInputStream().read()).isEqualTo(-1);

            assertThat(TestAggregator.status(aggregator)).contains("\"limited\":{\"IDLE_TIME\":1}");
        }
    }

    private Aggregator open(int upstream, String... settings) throws IOException {
        return open("redis", upstream, settings);
    }

    private Aggregator open(String protocol, int upstream, String... settings) throws IOException {
        StringBuilder yaml = new StringBuilder("control: { listen: 127.0.0.1:0, anonymous: admin }\nupstreams:\n");
        for (String name : List.of("a", "b")) {
            yaml.append("  - { name: " + name + ", protocol: " + protocol + ", debug: { listen: '127.0.0.1:0' }, ")
                    .append("production: { listen: '127.0.0.1:0', upstream: '127.0.0.1:" + upstream + "' } }\n");
        }
        Path file = Files.writeString(folder.resolve("aggregator.yaml"), yaml);
        List<String> sets =
                Stream.of(settings).map("debug-connections."::concat).toList();
        return Aggregator.open(AggregatorConfig.read(file, Map.of(), sets));
    }

    private Socket debug(Aggregator aggregator, String upstream) throws IOException {
        return connect((InetSocketAddress) aggregator.debugAddress(upstream));
    }

    private Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(10_000);
        sockets.add(socket);
        return socket;
    }

    /** What comes first; nothing if that is the end. */
    private static String answer(Socket socket, byte[] asked) {
        try {
            socket.getOutputStream().write(asked);
            InputStream in = socket.getInputStream();
            byte[] some = new byte[1000];
            int length = in.read(some);
            return new String(some, 0, Math.max(0, length), StandardCharsets.US_ASCII);
        } catch (IOException reset) {
            return "";
        }
    }
}
