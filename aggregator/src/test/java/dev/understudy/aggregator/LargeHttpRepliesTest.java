package dev.understudy.aggregator;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Downloads that are larger than the aggregator's whole memory. */
@Tag("process")
@Tag("slow")
class LargeHttpRepliesTest {
    private static final int MIB = 1 << 20;
    private static final long LONG = SmallAggregator.TOO_MANY;
    private static final Pattern ASKED = Pattern.compile("GET /([a-z-]+)/(\\d+) ");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService connections = Executors.newCachedThreadPool();
    private final AtomicInteger served = new AtomicInteger();
    private ServerSocket upstream;
    private final AtomicReference<SmallAggregator> recording = new AtomicReference<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        upstream = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        connections.execute(() -> {
            try {
                while (true) {
                    Socket accepted = upstream.accept();
                    connections.execute(() -> serve(accepted));
                }
            } catch (IOException closed) {
                return;
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        upstream.close();
        connections.shutdownNow();
    }

    @Test
    void downloads_largerThanAllMemory_areReplayedAsTheyWere_howeverSlowlyTheyAreRead() throws Exception {
        try (SmallAggregator aggregator = aggregator("")) {
            LongText production = download(aggregator.production(), "/counted/" + LONG);
            assertThat(production.length()).isEqualTo(LONG);
            aggregator.awaitRecorded(1);
            int before = served.get();
            long resident = aggregator.resident();
            HttpResponse<InputStream> slow = get(aggregator.debug(), "/counted/" + LONG);
            Eventually.await(() -> aggregator.number("replayed") == 1);
            try (InputStream body = slow.body()) {
                assertThat(LongText.read(body)).isEqualTo(production);
            }
            assertThat(aggregator.resident() - resident)
                    .as("grown by the replay")
                    .isLessThan(100L * MIB);
            assertThat(served.get()).as("what reached the real server").isEqualTo(before);
            Eventually.await(() -> aggregator.large("bytes") == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "until-close", "counted"})
    void downloads_areReplayedInOrder_howeverTheirEndIsTold(String framing) throws Exception {
        try (SmallAggregator aggregator = aggregator("")) {
            String path = "/" + framing + "/" + 20 * MIB;
            LongText first = download(aggregator.production(), path);
            LongText second = download(aggregator.production(), path);
            aggregator.awaitRecorded(2);
            assertThat(second).isNotEqualTo(first);
            assertThat(download(aggregator.debug(), path)).isEqualTo(first);
            assertThat(download(aggregator.debug(), path)).isEqualTo(second);
            assertThat(download(aggregator.debug(), path).length()).as("a miss").isLessThan(MIB);
        }
    }

    @Test
    void largeReplyByHttp2_isReplayedByHttp2() throws Exception {
        HttpClient newer =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        try (Http2Server server = new Http2Server();
                SmallAggregator aggregator = new SmallAggregator(folder, "http", server.port(), "large-from: 64KiB")) {
            HttpRequest first = HttpRequest.newBuilder(URI.create("http://" + aggregator.production() + "/large"))
                    .build();
            HttpResponse<byte[]> production = newer.send(first, BodyHandlers.ofByteArray());
            assertThat(production.body()).hasSizeGreaterThan(Http2Server.LARGE);
            aggregator.awaitRecorded(1);
            assertThat(aggregator.large("unused")).isEqualTo(1);
            HttpRequest again = HttpRequest.newBuilder(URI.create("http://" + aggregator.debug() + "/large"))
                    .build();
            HttpResponse<byte[]> debug = newer.send(again, BodyHandlers.ofByteArray());
            assertThat(debug.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(debug.body()).isEqualTo(production.body());
            assertThat(debug.headers().map()).isEqualTo(production.headers().map());
        }
    }

    @Test
    void largeReplies_ofAKilledAggregator_areThereWhenItIsBack() throws Exception {
        String journal = "disk-directory: " + folder.resolve("journals");
        String path = "/counted/" + 30 * MIB;
        LongText first;
        LongText second;
        try (SmallAggregator killed = aggregator(journal)) {
            first = download(killed.production(), path);
            second = download(killed.production(), path);
            killed.awaitRecorded(2);
            Eventually.await(() -> killed.number("written") == 2);
            assertThat(download(killed.debug(), path)).isEqualTo(first);
            killed.kill();
        }
        try (SmallAggregator again = aggregator(journal)) {
            Eventually.await(() -> again.number("reloaded") == 1);
            assertThat(download(again.debug(), path)).isEqualTo(second);
            Eventually.await(() -> again.large("bytes") == 0);
            assertThat(served.get()).isEqualTo(2);
        }
    }

    @Test
    void oldestLargeReplies_makeRoom_andWhatIsLargerThanTheRoomIsCounted() throws Exception {
        try (SmallAggregator aggregator = aggregator("large: 64MiB")) {
            String path = "/counted/" + 20 * MIB;
            LongText oldest = download(aggregator.production(), path);
            LongText old = download(aggregator.production(), path);
            LongText newest = download(aggregator.production(), path);
            Eventually.await(() -> aggregator.number("exchanges") == 3);
            Eventually.await(() -> aggregator.status().contains("\"evicted\":{\"DISK\":1}"));
            assertThat(oldest).isNotEqualTo(old);
            assertThat(download(aggregator.debug(), path)).isEqualTo(old);
            assertThat(download(aggregator.debug(), path)).isEqualTo(newest);
            download(aggregator.production(), "/chunked/" + 80 * MIB);
            Eventually.await(() -> aggregator.status().contains("\"DISK_FULL\":1"));
            Eventually.await(() -> aggregator.large("bytes") == 0);
        }
    }

    @Test
    void withoutRoomForThem_largeRepliesAreTooLarge() throws Exception {
        try (SmallAggregator aggregator = aggregator("large: 0")) {
            assertThat(download(aggregator.production(), "/counted/" + 20 * MIB).length())
                    .isEqualTo(20 * MIB);
            Eventually.await(() -> aggregator.status().contains("\"TOO_LARGE\":1"));
        }
    }

    private SmallAggregator aggregator(String journal) throws IOException {
        SmallAggregator aggregator = new SmallAggregator(folder, "http", upstream.getLocalPort(), journal);
        recording.set(aggregator);
        return aggregator;
    }

    private LongText.Progress keepingUp() throws Exception {
        return Objects.requireNonNull(recording.get()).keepingUp();
    }

    private HttpResponse<InputStream> get(String address, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://" + address + path)).build(), BodyHandlers.ofInputStream());
    }

    private LongText download(String address, String path) throws Exception {
        try (InputStream body = get(address, path).body()) {
            return LongText.read(body);
        }
    }

    /** One request after another on a connection: {@code /framing/bytes}. */
    private void serve(Socket accepted) {
        try (Socket socket = accepted;
                OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16)) {
            for (String head = head(socket); !head.isEmpty(); head = head(socket)) {
                Matcher path = ASKED.matcher(head);
                if (!path.lookingAt()) {
                    throw new IOException(head);
                }
                long bytes = Long.parseLong(path.group(2));
                int count = served.incrementAndGet();
                switch (path.group(1)) {
                    case "counted" -> {
                        say(out, "HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n");
                        LongText.write(out, bytes, count, keepingUp());
                    }
                    case "chunked" -> {
                        say(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                        LongText.write(new Chunks(out), bytes, count, keepingUp());
                        say(out, "0\r\n\r\n");
                    }
                    default -> {
                        say(out, "HTTP/1.1 200 OK\r\n\r\n");
                        LongText.write(out, bytes, count, keepingUp());
                        return;
                    }
                }
            }
        } catch (IOException gone) {
            return;
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = socket.getInputStream().read();
                next >= 0;
                next = socket.getInputStream().read()) {
            head.append((char) next);
            if (head.length() > 3 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Each write is a chunk. */
    private static final class Chunks extends OutputStream {
        private final OutputStream out;

        Chunks(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            say(out, Integer.toHexString(length) + "\r\n");
            out.write(bytes, from, length);
            say(out, "\r\n");
        }
    }
}
