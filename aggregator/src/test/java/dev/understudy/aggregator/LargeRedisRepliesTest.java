package dev.understudy.aggregator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/** A value that is larger than the aggregator's whole memory. */
class LargeRedisRepliesTest {
    private static final long LONG = 200L << 20;

    private static int port;
    private static RedisServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.stop();
    }

    @Test
    void value_largerThanAllMemory_isReplayedAsItWas_withWhatWasAskedAroundIt() throws Exception {
        LongText value;
        try (Connection direct = new Connection(port)) {
            direct.say("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + LONG + "\r\n");
            value = LongText.write(direct.out, LONG, 7, bytes -> {});
            direct.say("\r\n");
            assertThat(direct.line()).isEqualTo("+OK");
            direct.say("SET small 1\r\n");
            assertThat(direct.line()).isEqualTo("+OK");
        }
        try (SmallAggregator aggregator = new SmallAggregator(folder, "redis", port, "")) {
            try (Connection production = new Connection(SmallAggregator.port(aggregator.production()))) {
                production.say("GET small\r\nGET big\r\nGET small\r\n");
                assertThat(production.string(aggregator.keepingUp())).isEqualTo(value);
            }
            aggregator.awaitRecorded(3);
            assertThat(aggregator.large("unused")).isEqualTo(1);
            try (Connection debug = new Connection(SmallAggregator.port(aggregator.debug()))) {
                debug.say("GET small\r\nGET big\r\nGET small\r\n");
                assertThat(debug.string(bytes -> {})).isEqualTo(value);
            }
            TestAggregator.await(() -> aggregator.large("bytes") == 0);
        }
    }

    private static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(60_000);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            out = socket.getOutputStream();
        }

        void say(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }

        String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                assertThat(next).as("after %s", line).isNotNegative();
                line.append((char) next);
            }
            return line.toString().strip();
        }

        /** The large value, which comes between two small ones. */
        LongText string(LongText.Progress progress) throws IOException {
            assertThat(line()).isEqualTo("$1");
            assertThat(line()).isEqualTo("1");
            assertThat(line()).isEqualTo("$" + LONG);
            LongText text = LongText.read(in, LONG, progress);
            assertThat(line()).isEmpty();
            assertThat(line()).isEqualTo("$1");
            assertThat(line()).isEqualTo("1");
            return text;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
