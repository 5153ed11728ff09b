package dev.understudy.relay.event;

import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.AccessConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventFeedTest {
    private static final int KEPT = 64;
    private static final String ENDED = "0";

    private final AtomicInteger level = new AtomicInteger();
    private final EventFeed feed = new EventFeed(
            KEPT,
            2,
            36,
            new EventFeed.State(
                    "level",
                    Duration.ofMillis(10),
                    () -> List.of(Map.of("level", level.get(), "at", System.nanoTime()))));
    private ControlServer server;

    @BeforeEach
    void open() throws IOException {
        ControlConfig config = new ControlConfig(new InetSocketAddress("127.0.0.1", 0), AccessConfig.open());
        server = ControlServer.open(config, new Routes().events("/v1/events", feed));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void happenings_areTold_withNameIdAndData() throws Exception {
        try (Caller caller = call("")) {
            caller.until("event: level");
            feed.publish("loss", Map.of("bytes", 7));
            feed.publish("tee", Map.of("mode", "off"));

            assertThat(caller.until("event: loss")).isNotNull();
            assertThat(caller.next()).isEqualTo("id: 10-1");
            assertThat(caller.next()).isEqualTo("data: {\"bytes\":7}");
            assertThat(caller.next()).isEmpty();
            assertThat(caller.next()).isEqualTo("event: tee");
            assertThat(caller.next()).isEqualTo("id: 10-2");
        }
    }

    @Test
    void caller_whoDoesntRead_holdsNothing_andIsToldWhatItMissed() throws Exception {
        int published = 200_000;
        String text = "x".repeat(200);
        try (Caller caller = call("")) {
            caller.until("event: level");
            for (int n = 1; n < published; n++) {
                feed.publish("loss", Map.of("n", n, "text", text));
            }
            // sockets hold some megabytes, and the feed its ring: the rest must have been dropped
            long told = 0;
            long missed = 0;
            feed.publish("last", Map.of());
            for (String line = caller.next(); !line.equals("event: last"); line = caller.next()) {
                if (line.equals("event: loss")) {
                    told++;
                } else if (line.equals("event: missed")) {
                    String data = caller.next();
                    missed += Long.parseLong(data.replaceAll(".*\"events\":(\\d+).*", "$1"));
                }
            }
            assertThat(missed).isPositive().isEqualTo(feed.missed());
            assertThat(told + missed).isEqualTo(published - 1);
        }
    }

    @Test
    void lastId_goesOnWhereTheCallerWas_asFarAsThatIsKept() throws Exception {
        for (int n = 1; n <= 10; n++) {
            feed.publish("loss", Map.of("n", n));
        }
        try (Caller again = call("Last-Event-ID: 10-7\r\n")) {
            again.until("event: loss");
            assertThat(again.next()).isEqualTo("id: 10-8");
        }
        for (int n = 11; n <= 10 + KEPT; n++) {
            feed.publish("loss", Map.of("n", n));
        }
        try (Caller late = call("Last-Event-ID: 10-7\r\n")) {
            late.until("event: missed");
            assertThat(late.next()).contains("\"events\":3");
            late.until("event: loss");
            assertThat(late.next()).isEqualTo("id: 10-11");
        }
    }

    @Test
    void lastId_ofAnotherProcess_isToldToBeUnknown_andGetsAllThatIsKept() throws Exception {
        feed.publish("loss", Map.of());
        for (String id : List.of("zz-1", "10-99", "10--1", "10-", "10-x", "?")) {
            try (Caller caller = call("Last-Event-ID: " + id + "\r\n")) {
                caller.until("event: missed");
                assertThat(caller.next()).as(id).contains("\"events\":null", "unknown id");
                caller.until("event: loss");
                assertThat(caller.next()).as(id).isEqualTo("id: 10-1");
            }
        }
    }

    @Test
    void callers_areLimited_andAPlaceIsFreeAgainOnceOneLeaves() throws Exception {
        Caller first = call("");
        Caller second = call("");
        first.until("event: level");
        second.until("event: level");
        try (Caller third = call("Connection: close\r\n")) {
            assertThat(third.status).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(third.lines.lines().toList().toString())
                    .contains("2 callers follow the events already (expected: at most 2)");
        }
        first.close();
        String status = "";
        for (long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                !status.contains("200") && System.nanoTime() < until; ) {
            try (Caller fourth = call("")) {
                status = fourth.status;
            }
        }
        assertThat(status).isEqualTo("HTTP/1.1 200 OK");
        second.close();
    }

    @Test
    void state_isToldAtOnce_andAgainOnlyWhenItChanged() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(feed.open(null));
        channel.runScheduledPendingTasks();
        assertThat(written(channel)).singleElement().asString().startsWith("event: level\ndata: {");

        advance(channel, Duration.ofSeconds(1));
        assertThat(written(channel)).isEmpty();

        level.set(5);
        advance(channel, Duration.ofSeconds(1));
        assertThat(written(channel)).singleElement().asString().contains("\"level\":5");
        channel.finishAndReleaseAll();
        assertThat(feed.callers()).isZero();
    }

    @Test
    void silence_isBrokenByAComment() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(feed.open(null));
        channel.runScheduledPendingTasks();
        written(channel);
        for (int n = 0; n < 4; n++) {
            advance(channel, Duration.ofSeconds(15));
        }
        assertThat(written(channel)).containsExactly(":\n\n", ":\n\n", ":\n\n", ":\n\n");
        channel.finishAndReleaseAll();
    }

    private static void advance(EmbeddedChannel channel, Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private static List<String> written(EmbeddedChannel channel) {
        List<String> written = new ArrayList<>();
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            if (message instanceof HttpContent content) {
                written.add(content.content().toString(StandardCharsets.UTF_8));
                content.release();
            }
        }
        return written;
    }

    private Caller call(String header) throws IOException {
        return new Caller(server.address(), header);
    }

    /** A caller with a small receive buffer; the sizes of the chunks are left out. */
    private static final class Caller implements AutoCloseable {
        private final Socket socket = new Socket();
        private final BufferedReader lines;
        final String status;

        Caller(InetSocketAddress server, String header) throws IOException {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(60_000);
            socket.connect(server);
            String request = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            status = lines.readLine();
        }

        String next() throws IOException {
            String line = lines.readLine();
            while (line != null && line.matches("[0-9a-f]+") && !line.equals(ENDED)) {
                line = lines.readLine();
            }
            assertThat(line).as("the stream goes on").isNotNull();
            // a chunk ends with an empty line of its own, behind the event's
            if (line.isEmpty()) {
                lines.mark(16);
                String chunkEnd = lines.readLine();
                if (chunkEnd != null && !chunkEnd.isEmpty()) {
                    lines.reset();
                }
            }
            return line;
        }

        String until(String beginning) throws IOException {
            String line = next();
            while (!line.startsWith(beginning)) {
                line = next();
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
