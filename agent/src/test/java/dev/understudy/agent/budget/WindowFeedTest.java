package dev.understudy.agent.budget;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

final class WindowFeedTest {
    private final BlockingQueue<WindowReading> readings = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final Semaphore arrivals = new Semaphore(0);
    private final List<Integer> refusals = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final Thread thread;
    private final WindowFeed feed;
    private final BlockingQueue<byte[]> later = new LinkedBlockingQueue<>();
    private final AtomicLong now = new AtomicLong();
    private volatile boolean endless;
    private volatile int unanswered;
    private volatile int refused;
    private byte[] stream = new byte[0];

    WindowFeedTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/window", this::serve);
        server.setExecutor(work -> {
            Thread serving = new Thread(work);
            serving.setDaemon(true);
            serving.start();
        });
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/window");
        feed = new WindowFeed(
                HttpClient.newHttpClient(),
                () -> {
                    requests.incrementAndGet();
                    return HttpRequest.newBuilder(address).build();
                },
                () -> {},
                refusals::add,
                readings::add,
                now::get);
        thread = new Thread(feed);
        thread.setDaemon(true);
    }

    @AfterEach
    void stop() {
        thread.interrupt();
        server.stop(0);
    }

    @Test
    void everyReading_isTold() throws InterruptedException {
        String full = "data: {\"at\":1,\"utilisation\":0.25,\"lagMillis\":17,\"orders\":3,"
                + "\"estimate\":\"overflows in 4 min\","
                + "\"arrivalRate\":12.5,\"serviceRate\":40,\"wantedMillis\":600000,\"neededRate\":15,"
                + "\"spans\":false}";
        String odd = "data:{\"nested\":{\"utilisation\":9},\"list\":[1,{}],\"utilisation\":1,\"lagMillis\":2.5}\r";
        play(String.join("\n", ": hello", "", full, "", odd, "\r", ""));

        WindowReading first = next();
        assertThat(first.utilisation()).isEqualTo(0.25);
        assertThat(first.lagMillis()).isEqualTo(17);
        assertThat(first.orders()).isEqualTo(3);
        WindowReading.Flow flow = first.flow();
        assertThat(List.of(flow.arriving, flow.served, flow.needed)).containsExactly(12.5, 40.0, 15.0);
        assertThat(flow.wantedMillis).isEqualTo(600_000);
        assertThat(first.spans()).isFalse();
        WindowReading second = next();
        assertThat(second.utilisation()).isEqualTo(1);
        assertThat(second.lagMillis()).isEqualTo(2);
        assertThat(second.orders()).as("an older sidecar").isEqualTo(-1);
        assertThat(second.spans()).as("an older sidecar").isTrue();
        assertThat(second.flow().wantedMillis).isZero();
        assertThat(second.flow().needed).isNegative();
    }

    @Test
    void aStreamThatEnds_isOpenedAgain() throws InterruptedException {
        play("data: {\"utilisation\":0.5}\n\n");
        next();
        next();

        assertThat(connections.get()).isGreaterThanOrEqualTo(2);
    }

    @Test
    @Timeout(60)
    void aStreamThatSaysNothing_isCutAfterThreeSeconds_andOpenedAgain() throws InterruptedException {
        endless = true;
        play("data: {\"utilisation\":0.5}\n\n");
        next();
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        feed.watch();
        later.add(stream);
        next();
        assertThat(connections.get()).isEqualTo(1);

        cutUntilItIsOpenedAgain(); // more than once: what was on its way may have come after all
        next();
    }

    @Test
    @Timeout(60)
    void aRequestThatNobodyAnswers_isGivenUpAfterThreeSeconds_andMadeAgain() throws InterruptedException {
        unanswered = 1;
        play("data: {\"utilisation\":0.5}\n\n");
        arrivals.acquire();
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        feed.watch();
        assertThat(connections.get()).isEqualTo(1);

        cutUntilItIsOpenedAgain();
        next();
    }

    @Test
    void refusals_areToldOnce_andTriedAgainWithAnotherRequest() throws InterruptedException {
        refused = 2;
        play("data: {\"utilisation\":0.5}\n\n");
        next();

        assertThat(refusals).containsExactly(401);
        assertThat(requests.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void garbage_neitherThrowsNorStopsTheFeed() throws InterruptedException {
        Random random = new Random(17);
        StringBuilder text = new StringBuilder();
        String good = "data: {\"utilisation\":0.5,\"lagMillis\":3}\n";
        for (int i = 0; i < 300; i++) {
            char[] bad = good.toCharArray();
            bad[random.nextInt(bad.length)] = (char) (32 + random.nextInt(90));
            text.append(bad, 0, random.nextInt(bad.length)).append('\n');
        }
        play("data: {\"utilisation\":0.125}\n" + text);

        assertThat(next().utilisation()).isEqualTo(0.125);
        for (WindowReading reading = next(); reading.utilisation() != 0.125; reading = next()) {
            assertThat(reading.utilisation()).isNotNegative();
        }
    }

    @Test
    void anEndlessLine_endsTheConnectionInsteadOfFillingMemory() throws InterruptedException {
        play("data: {\"utilisation\":0.5}\n" + "x".repeat(100_000) + "\ndata: {\"utilisation\":0.75}\n");

        assertThat(next().utilisation()).isEqualTo(0.5);
        assertThat(next().utilisation()).isEqualTo(0.5);
    }

    private void play(String text) {
        stream = text.getBytes(StandardCharsets.UTF_8);
        server.start();
        thread.start();
    }

    /** Each time the clock goes on a new request gets a moment of real time to arrive, before it is cut as well. */
    private void cutUntilItIsOpenedAgain() throws InterruptedException {
        arrivals.drainPermits();
        while (connections.get() == 1) {
            now.addAndGet(Duration.ofSeconds(3).toNanos() + 1);
            feed.watch();
            arrivals.tryAcquire(500, TimeUnit.MILLISECONDS);
        }
    }

    private WindowReading next() throws InterruptedException {
        WindowReading reading = readings.poll(30, TimeUnit.SECONDS);
        if (reading == null) {
            throw new AssertionError("no reading; " + connections + " connections");
        }
        return reading;
    }

    private void serve(HttpExchange exchange) throws IOException {
        int connection = connections.incrementAndGet();
        arrivals.release();
        if (connection <= unanswered) {
            return; // the server leaves the connection open
        }
        if (connection <= refused) {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
            return;
        }
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(stream);
            out.flush();
            while (endless) {
                out.write(later.take());
                out.flush();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
