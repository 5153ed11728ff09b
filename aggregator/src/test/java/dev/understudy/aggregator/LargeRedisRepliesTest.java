package dev.understudy.aggregator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A value that is larger than the aggregator's whole memory. */
@Tag("process")
@Tag("slow")
class LargeRedisRepliesTest {
    private static final long LONG = SmallAggregator.TOO_MANY;

    private static RedisProgram server;
    private static int port;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = RedisProgram.start();
        port = server.port();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
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
            aggregator.awaitRecordedAndClosed(3);
            assertThat(aggregator.large("unused")).isEqualTo(1);
            try (Connection debug = new Connection(SmallAggregator.port(aggregator.debug()))) {
                debug.say("GET small\r\nGET big\r\nGET small\r\n");
                assertThat(debug.string(bytes -> {})).isEqualTo(value);
            }
            Eventually.await(() -> aggregator.large("bytes") == 0);
        }
    }

    @Test
    void replyOfManyItems_isReplayedAsItWas_inATransaction_too() throws Exception {
        int items = 3_000;
        int length = 32_000;
        String item = "0123456789abcdef".repeat(length / 16);
        try (Connection direct = new Connection(port)) {
            for (int i = 0; i < items; i++) {
                direct.say("*3\r\n$5\r\nRPUSH\r\n$4\r\nlist\r\n$" + length + "\r\n" + item + "\r\n");
                assertThat(direct.line()).isEqualTo(":" + (i + 1));
            }
        }
        String asked = "LRANGE list 0 -1\r\nMULTI\r\nLLEN list\r\nLRANGE list 0 -1\r\nEXEC\r\nLLEN list\r\n";
        long list = ("*" + items + "\r\n").length() + items * (length + 2L + ("$" + length + "\r\n").length());
        try (SmallAggregator aggregator = new SmallAggregator(folder, "redis", port, "")) {
            LongText seen;
            try (Connection production = new Connection(SmallAggregator.port(aggregator.production()))) {
                production.say(asked);
                seen = production.lists(list, aggregator.keepingUp());
            }
            aggregator.awaitRecordedAndClosed(3);
            assertThat(aggregator.large("unused")).isEqualTo(2);
            try (Connection debug = new Connection(SmallAggregator.port(aggregator.debug()))) {
                debug.say(asked);
                assertThat(debug.lists(list, bytes -> {})).isEqualTo(seen);
            }
            Eventually.await(() -> aggregator.large("bytes") == 0);
        }
    }

    @Test
    void command_largerThanAllMemory_isAnsweredByItsHash() throws Exception {
        try (SmallAggregator aggregator = new SmallAggregator(folder, "redis", port, "")) {
            try (Connection production = new Connection(SmallAggregator.port(aggregator.production()))) {
                production.set(9, aggregator.keepingUpWithRequests());
                assertThat(production.line()).isEqualTo("+OK");
                production.say("APPEND other 1\r\n");
                assertThat(production.line()).startsWith(":");
            }
            aggregator.awaitRecordedAndClosed(2);
            try (Connection debug = new Connection(SmallAggregator.port(aggregator.debug()))) {
                debug.set(8, bytes -> {});
                assertThat(debug.line())
                        .as("another value")
                        .startsWith("-UNDERSTUDY")
                        .contains("SET sent ");
                debug.set(9, bytes -> {});
                assertThat(debug.line()).isEqualTo("+OK");
                debug.say("APPEND other 1\r\n");
                assertThat(debug.line()).startsWith(":");
            }
        }
    }

    @Test
    void withoutRoomForThem_largeRepliesAreTooLarge_andTheConnectionGoesOn() throws Exception {
        try (SmallAggregator aggregator = new SmallAggregator(folder, "redis", port, "large: 0");
                Connection direct = new Connection(port);
                Connection production = new Connection(SmallAggregator.port(aggregator.production()))) {
            direct.say("SETRANGE zeros 4000000 0\r\n");
            assertThat(direct.line()).isEqualTo(":4000001");
            production.say("GET zeros\r\n");
            assertThat(production.line()).isEqualTo("$4000001");
            LongText.read(production.in, 4000001, bytes -> {});
            assertThat(production.line()).isEmpty();
            production.say("GET nothing\r\n");
            assertThat(production.line()).isEqualTo("$-1");
            Eventually.await(() -> aggregator.status().contains("\"TOO_LARGE\":1"));
            Eventually.await(() -> aggregator.number("exchanges") == 1);
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

        /** Sets a large value that differs by its seed. */
        void set(long seed, LongText.Progress progress) throws IOException {
            say("*3\r\n$3\r\nSET\r\n$4\r\nsent\r\n$" + LONG + "\r\n");
            LongText.write(out, LONG, seed, progress);
            say("\r\n");
        }

        /** What is answered about a list that takes so many bytes. */
        LongText lists(long bytes, LongText.Progress progress) throws IOException {
            LongText first = LongText.read(in, bytes, progress);
            assertThat(line()).isEqualTo("+OK");
            assertThat(line()).isEqualTo("+QUEUED");
            assertThat(line()).isEqualTo("+QUEUED");
            assertThat(line()).isEqualTo("*2");
            assertThat(line()).startsWith(":");
            assertThat(LongText.read(in, bytes, read -> progress.written(bytes + read)))
                    .isEqualTo(first);
            assertThat(line()).startsWith(":");
            return first;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
