package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.WindowConfig;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Production's happens-before, through sockets, threads and a debug service that takes random times. */
final class SidecarOrderTest {
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 40;

    /** Others wait for a second for an exchange that debug owes. */
    private static final WindowConfig IMPATIENT = new WindowConfig(
            16L << 20, 256L << 20, Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofSeconds(60));

    /** What one clock said when something began and ended. */
    private record Interval(long begun, long ended) {}

    private final AtomicLong clock = new AtomicLong();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void requests_areSeenByDebug_afterWhatHadEndedBeforeThem(long seed) throws Exception {
        Map<String, Interval> byClients = new ConcurrentHashMap<>();
        Map<String, Interval> byDebug = new ConcurrentHashMap<>();
        CountDownLatch never = new CountDownLatch(1);
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    long begun = clock.incrementAndGet();
                    int pause = new Random(seed ^ asked.target().hashCode()).nextInt(8);
                    boolean open = never.await(pause, TimeUnit.MILLISECONDS);
                    byDebug.put(asked.target(), new Interval(begun, clock.incrementAndGet()));
                    HttpService.reply(exchange, 200, open ? "" : "{}");
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            play(stage, byClients);
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == CLIENTS * REQUESTS);
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(status.toPrettyString())
                    .isZero();
        }
        byClients.forEach((earlier, first) -> byClients.forEach((later, second) -> {
            if (first.ended() < second.begun()) {
                assertThat(requireNonNull(byDebug.get(later)).begun())
                        .as("seed %d: %s was asked after %s was answered", seed, later, earlier)
                        .isGreaterThan(requireNonNull(byDebug.get(earlier)).ended());
            }
        }));
    }

    @Test
    void differenceThatTheOrderMayHaveMade_isNone_untilTheDebugJvmHasCaughtUp() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (HttpService production = HttpService.saying("{\"in\":true}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    boolean isIn = !asked.target().equals("/login") || goOn.await(1, TimeUnit.MINUTES);
                    boolean needsIt = asked.target().equals("/cart");
                    isIn &= !asked.target().equals("/broken") && (!needsIt || goOn.getCount() == 0);
                    HttpService.reply(exchange, 200, "{\"in\":" + isIn + "}");
                });
                Stage stage = Stage.open(production.address(), debug.address(), IMPATIENT);
                Socket first = stage.connect();
                Socket second = stage.connect()) {
            get(first, "/login");
            get(second, "/cart");
            get(second, "/free");
            JsonNode ahead = stage.awaitStatus("what went ahead", status -> Stage.total(status) == 2);
            assertThat(ahead.at("/verdicts/DIFFERENT").asInt()).as("%s", ahead).isZero();
            assertThat(ahead.at("/notCompared").toString()).isEqualTo("{\"OUT_OF_ORDER\":1}");

            goOn.countDown();
            stage.awaitStatus("the login", status -> Stage.total(status) == 3);
            get(second, "/cart");
            get(second, "/broken");
            JsonNode after = stage.awaitStatus("the rest", status -> Stage.total(status) == 5);
            assertThat(after.at("/verdicts/DIFFERENT").asInt()).as("%s", after).isEqualTo(1);
            assertThat(after.at("/notCompared").toString()).isEqualTo("{\"OUT_OF_ORDER\":1}");
        } finally {
            goOn.countDown();
        }
    }

    private static void get(Socket socket, String target) throws Exception {
        PlainServer.write(socket, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
        PlainServer.readUntil(socket, "}");
    }

    private void play(Stage stage, Map<String, Interval> seen) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> playing = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int id = client;
            playing.add(clients.submit(() -> {
                try (Socket socket = stage.connect()) {
                    for (int i = 0; i < REQUESTS; i++) {
                        String target = "/" + id + "/" + i;
                        long begun = clock.incrementAndGet();
                        PlainServer.write(socket, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
                        PlainServer.readUntil(socket, "{}");
                        seen.put(target, new Interval(begun, clock.incrementAndGet()));
                    }
                }
                return null;
            }));
        }
        for (Future<?> one : playing) {
            one.get();
        }
        clients.shutdown();
    }
}
