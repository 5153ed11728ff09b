package dev.understudy.aggregator;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Two processes, and what becomes of production's upstream when the one of them that records is stopped or dies. */
@Tag("process")
final class SplitAggregatorTest {
    private final AtomicInteger served = new AtomicInteger();
    private ServerSocket upstream;

    /** Bytes of each body behind the six. */
    private volatile int padding;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        upstream = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::accept);
        accepting.setDaemon(true);
        accepting.start();
    }

    @AfterEach
    void close() throws IOException {
        upstream.close();
    }

    /** Answers each request of each connection with how many there were. */
    private void accept() {
        try {
            while (true) {
                Socket accepted = upstream.accept();
                Thread answering = new Thread(() -> answer(accepted));
                answering.setDaemon(true);
                answering.start();
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void answer(Socket client) {
        try (client) {
            while (!head(client.getInputStream()).isEmpty()) {
                String body = "%06d".formatted(served.incrementAndGet()) + "x".repeat(padding);
                String reply = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
                client.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Test
    void recorderProcess_recordsWhatIsRelayed_answersTheDebugSide_andBothEndTogether() throws Exception {
        try (AggregatorProcess aggregator = start("16MiB")) {
            try (Socket production = connect(aggregator.production);
                    Socket debug = connect(aggregator.debug)) {
                for (int n = 1; n <= 10; n++) {
                    assertThat(ask(production, "/" + n)).isEqualTo("%06d".formatted(n));
                    assertThat(ask(debug, "/" + n)).isEqualTo("%06d".formatted(n));
                }
            }
            assertThat(aggregator.status())
                    .contains(
                            "\"gaps\":{\"restarts\":0,\"lostBytes\":0,\"lostConnections\":0,\"unknownBytes\":0,\"requestBytesBefore\":0}")
                    .contains("\"up\":true");
            assertThat(aggregator.get("/metrics"))
                    .containsPattern("understudy_tap_memory_bytes [1-9]\\d*\\.\\d+E[78]\n")
                    .contains("understudy_relay_connections_total{listener=\"quotes\"} 1.0");
            ProcessHandle recorder = aggregator.recorder().orElseThrow();
            aggregator.stop();
            assertThat(recorder.isAlive()).isFalse();
            assertThat(aggregator.lastLines())
                    .containsExactly("quotes: 10 exchanges recorded, 10 of 10 debug requests replayed, 0 missed");
            try (Stream<Path> left = Files.list(folder.resolve("tap"))) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void recorderProcess_thatIsKilled_isNoticedByNobody_andTheNextRecordsNewConnections() throws Exception {
        try (AggregatorProcess aggregator = start("16MiB");
                Socket before = connect(aggregator.production)) {
            ask(before, "/before");
            Eventually.await(() -> aggregator.number("exchanges") == 1);
            aggregator.signalRecorder("KILL");
            for (int n = 2; n <= 100; n++) {
                assertThat(ask(before, "/before")).isEqualTo("%06d".formatted(n));
            }
            Eventually.await(() -> serves(aggregator));
            Eventually.await(() -> {
                ask(before, "/before");
                return aggregator.status().contains("\"BEGUN_BEFORE\":1");
            });
            try (Socket after = connect(aggregator.production);
                    Socket debug = connect(aggregator.debug)) {
                String answer = ask(after, "/after");
                assertThat(ask(debug, "/after")).isEqualTo(answer);
                assertThat(status(debug, "/before"))
                        .as("of a connection that wasn't recorded")
                        .isEqualTo(502);
            }
            assertThat(aggregator.status()).contains("\"restarts\":1");
            assertThat(aggregator.log()).contains("the recorder process ended with exit code 137; production goes on");
            aggregator.stop();
            assertThat(aggregator.lastLines())
                    .singleElement()
                    .asString()
                    .contains(", the recorder process was started again 1 time");
        }
    }

    @Test
    void journalOnDisk_isFoundByTheNextRecorderProcess() throws Exception {
        padding = 40_000;
        String journal =
                "journal: { memory: 2MiB, disk-directory: '%s', disk: 16MiB }\n".formatted(folder.resolve("journal"));
        try (AggregatorProcess aggregator = start("16MiB", journal);
                Socket production = connect(aggregator.production)) {
            for (int n = 1; n <= 150; n++) {
                ask(production, "/" + n);
                Eventually.await(() -> aggregator.number("bytes") < 1_700_000);
            }
            Eventually.await(() -> aggregator.onDisk() > 50);
            aggregator.signalRecorder("KILL");
            Eventually.await(() -> serves(aggregator) && aggregator.status().contains("\"loading\":false"));
            try (Socket debug = connect(aggregator.debug)) {
                for (int n = 1; n <= 50; n++) {
                    assertThat(ask(debug, "/" + n)).isEqualTo("%06d".formatted(n));
                }
            }
        }
    }

    @Test
    void recorderProcess_thatIsStopped_losesWhatTheRingsHaveNoRoomFor_andGivesNoReplyFromBehindTheHole()
            throws Exception {
        try (AggregatorProcess aggregator = start("64KiB");
                Socket production = connect(aggregator.production)) {
            ask(production, "/0");
            Eventually.await(() -> aggregator.number("exchanges") == 1);
            long recorder = aggregator.signalRecorder("STOP");
            for (int n = 1; n < 2000; n++) {
                ask(production, "/" + n);
            }
            AggregatorProcess.signal("CONT", recorder);
            Eventually.await(() -> aggregator.status().contains("\"LANE_OVERFLOW\":1"));
            assertThat(aggregator.number("lostBytes")).isPositive();
            assertThat(ask(production, "/behind")).isEqualTo("002001");
            try (Socket again = connect(aggregator.production);
                    Socket debug = connect(aggregator.debug)) {
                assertThat(ask(again, "/again")).isEqualTo("002002");
                assertThat(ask(debug, "/again")).isEqualTo("002002");
                assertThat(ask(debug, "/1")).isEqualTo("000002");
                assertThat(status(debug, "/behind")).isEqualTo(502);
            }
        }
    }

    @Test
    void connectionThatHasSaidNothing_isRecordedByTheNextRecorderProcess() throws Exception {
        try (AggregatorProcess aggregator = start("16MiB");
                Socket silent = connect(aggregator.production)) {
            aggregator.signalRecorder("KILL");
            Eventually.await(() -> serves(aggregator));
            assertThat(ask(silent, "/first")).isEqualTo("000001");
            try (Socket debug = connect(aggregator.debug)) {
                assertThat(ask(debug, "/first")).isEqualTo("000001");
            }
        }
    }

    @Test
    void relayingProcess_thatIsKilled_takesTheRecorderProcessWithIt() throws Exception {
        try (AggregatorProcess aggregator = start("16MiB")) {
            ProcessHandle recorder = aggregator.recorder().orElseThrow();
            aggregator.kill();
            recorder.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void upstreamThatNothingIsRecordedOf_needsNoProcessOfItsOwn() throws Exception {
        try (AggregatorProcess aggregator = AggregatorProcess.inTwo(folder, settings("none", "16MiB", ""))) {
            assertThat(aggregator.recorder()).isEmpty();
        }
    }

    /** The control port is the last that the next recorder process opens. */
    private static boolean serves(AggregatorProcess aggregator) throws Exception {
        try {
            return aggregator.number("restarts") == 1;
        } catch (IOException notYet) {
            return false;
        }
    }

    private AggregatorProcess start(String ring, String... more) throws IOException {
        return AggregatorProcess.inTwo(folder, settings("127.0.0.1:0", ring, String.join("", more)));
    }

    private String settings(String listen, String ring, String more) {
        return """
                upstreams:
                  - name: quotes
                    protocol: http
                    production: { listen: "%s", upstream: "127.0.0.1:%d" }
                    debug: { listen: "127.0.0.1:0" }
                    wait: 2s
                tap: { directory: '%s', ring: %s, recorder-java-options: '-Xmx128m -XX:TieredStopAtLevel=1' }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                drain: 100ms
                %s""".formatted(listen, upstream.getLocalPort(), folder.resolve("tap"), ring, more);
    }

    private static Socket connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout(60_000);
        return socket;
    }

    private String ask(Socket connection, String path) throws IOException {
        assertThat(status(connection, path)).as(path).isEqualTo(200);
        String body = new String(connection.getInputStream().readNBytes(6 + padding), StandardCharsets.US_ASCII);
        return body.substring(0, 6);
    }

    /** The status; the body is left. */
    private static int status(Socket connection, String path) throws IOException {
        connection
                .getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: quotes\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        String head = head(connection.getInputStream());
        return Integer.parseInt(head.substring(9, 12));
    }
}
