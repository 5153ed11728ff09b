package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Replies that production is still receiving: the debug JVM gets what there is of them. */
class LiveRepliesTest {
    private static final String END = "end";
    private static final String BREAK_OFF = "break off";
    private static final int LARGE = 1 << 20;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient production = HttpClient.newHttpClient();
    private final HttpClient debug = HttpClient.newHttpClient();
    private HttpServer server;
    private Aggregator aggregator;
    private InputStream real = InputStream.nullInputStream();
    private InputStream replayed = InputStream.nullInputStream();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/events", this::serve);
        server.start();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 1m");
    }

    @AfterEach
    void stop() {
        events.add(END);
        aggregator.close();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void event_reachesDebugWhileProductionsStreamGoesOn() throws Exception {
        begin();

        say("two");
        assertThat(next(replayed)).isEqualTo("two");
        events.add(END);

        assertThat(real.read()).isEqualTo(-1);
        assertThat(replayed.read()).isEqualTo(-1);
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
        assertThat(TestAggregator.status(aggregator))
                .contains("\"replayed\":1", "\"missed\":0", "\"unused\":0")
                .doesNotContain("INCOMPLETE");
    }

    @Test
    void debugThatAskedBeforeProduction_getsTheFirstEventAtOnce() throws Exception {
        CompletableFuture<InputStream> early =
                debug.sendAsync(request(false), BodyHandlers.ofInputStream()).thenApply(reply -> reply.body());
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        real = open(production, true);
        say("one");

        assertThat(next(early.get(60, TimeUnit.SECONDS))).isEqualTo("one");
    }

    @Test
    void streamThatNobodyAskedFor_isRecordedOnceItIsComplete() throws Exception {
        real = open(production, true);
        say("one");
        TestAggregator.awaitUnused(aggregator, 1);
        say("two");
        events.add(END);
        assertThat(real.read()).isEqualTo(-1);
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
        TestAggregator.awaitUnused(aggregator, 1);

        replayed = open(debug, false);

        assertThat(new String(replayed.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
        assertThat(TestAggregator.status(aggregator)).contains("\"replayed\":1", "\"unused\":0");
    }

    @Test
    void streamThatTheServerBreaksOff_isBrokenOffForDebug() throws Exception {
        begin();

        events.add(BREAK_OFF);

        assertThatThrownBy(real::readAllBytes).isInstanceOf(IOException.class);
        assertThatThrownBy(replayed::readAllBytes).isInstanceOf(IOException.class);
    }

    /** What the server would have said next isn't known, and that it would have ended isn't either. */
    @Test
    void streamThatProductionLeaves_standsStillForDebug() throws Exception {
        begin();
        real.close();
        Eventually.await(() -> {
            events.add("late");
            return TestAggregator.status(aggregator).contains("\"connections\":1,\"open\":0,\"exchanges\"");
        });

        CompletableFuture<Void> more = CompletableFuture.runAsync(this::readToTheEnd, threads);

        InputStream other = open(production, true);
        events.addAll(List.of("late", "late", "late", "late")); // the first stream's server may take some
        assertThat(next(other)).isEqualTo("late");
        assertThat(next(open(debug, false))).isEqualTo("late");
        assertThat(more).isNotDone();
        replayed.close();
    }

    @Test
    void debugThatDoesNotRead_isBrokenOffWhereTheBoundIs_andProductionIsNot() throws Exception {
        begin();

        long received = 0;
        for (int i = 0; i < 64; i++) {
            String event = "x".repeat(LARGE);
            say(event);
            received += event.length();
        }
        events.add(END);

        assertThat(real.read()).isEqualTo(-1);
        assertThat(received).isEqualTo(64L * LARGE);
        assertThatThrownBy(replayed::readAllBytes).isInstanceOf(IOException.class);
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0");
    }

    /** Both sides have got the first event of a stream that goes on. */
    private void begin() throws Exception {
        real = open(production, true);
        say("one");
        replayed = open(debug, false);
        assertThat(next(replayed)).isEqualTo("one");
    }

    private void say(String event) throws IOException {
        events.add(event);
        assertThat(next(real)).isEqualTo(event);
    }

    private static String next(InputStream stream) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = stream.read(); c != '\n'; c = stream.read()) {
            if (c < 0) {
                throw new IOException("the stream ended after \"" + line + '"');
            }
            line.append((char) c);
        }
        return line.toString();
    }

    private void readToTheEnd() {
        try {
            replayed.readAllBytes();
        } catch (IOException brokenOff) {
            // that is an end, too
        }
    }

    private InputStream open(HttpClient client, boolean real) throws Exception {
        return client.sendAsync(request(real), BodyHandlers.ofInputStream())
                .get(60, TimeUnit.SECONDS)
                .body();
    }

    private HttpRequest request(boolean real) {
        InetSocketAddress address =
                real ? aggregator.productionAddress("test") : (InetSocketAddress) aggregator.debugAddress("test");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/events"))
                .build();
    }

    private void serve(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.flush();
        try {
            for (String event = events.take(); !event.equals(END); event = events.take()) {
                if (event.equals(BREAK_OFF)) {
                    throw new IOException(event);
                }
                out.write((event + '\n').getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }
}
