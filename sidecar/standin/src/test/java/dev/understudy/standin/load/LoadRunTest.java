package dev.understudy.standin.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.model.TestModels;
import dev.understudy.standin.value.Quantiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real load on servers that answer, stall, close, and talk nonsense. */
@Tag("process")
final class LoadRunTest {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong bodyBytes = new AtomicLong();
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private HttpHandler behaviour = exchange -> exchange.sendResponseHeaders(204, -1);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.incrementAndGet();
            ports.add(exchange.getRemoteAddress().getPort());
            bodyBytes.addAndGet(exchange.getRequestBody().readAllBytes().length);
            behaviour.handle(exchange);
        }
    }

    private LoadOptions options(ServiceModel model) {
        return at(model, new LoadTarget("127.0.0.1", server.getAddress().getPort()));
    }

    private static LoadOptions at(ServiceModel model, LoadTarget target) {
        return LoadOptions.of(model, target).withSeconds(1);
    }

    @Test
    void mixAndRate_areTheModels() throws Exception {
        ServiceModel model = TestModels.orders(400, 8, 1000);

        LoadResult result = LoadRun.run(model, options(model));

        assertThat(result.total().count()).isEqualTo(400).isEqualTo(asked.get());
        assertThat(result.total().statuses()).containsExactly(Map.entry(204, 400L));
        assertThat(result.routes()).extracting(LoadFigures::route).containsExactly("GET /orders/{}", "GET /orders");
        assertThat(result.routes().get(0).count()).isBetween(270L, 330L);
        assertThat(result.routes().get(1).count()).isBetween(70L, 130L);
        assertThat(result.total().wantedPerSecond()).isEqualTo(400);
        assertThat(result.total().reachedPerSecond()).isBetween(100.0, 401.0);
        assertThat(result.total().errorCount() + result.total().dropped() + result.unfinished())
                .isZero();
        assertThat(result.connections()).isEqualTo(8).isEqualTo(ports.size());
        assertThat(result.total().percentileMillis(50)).isPositive();
    }

    @Test
    void stall_showsInEachRequestThatItDelayed() throws Exception {
        ServiceModel model = TestModels.orders(200, 1, 100_000);
        CountDownLatch never = new CountDownLatch(1);
        behaviour = exchange -> {
            if (asked.get() == 80) {
                awaitFor(never, 500);
            }
            exchange.sendResponseHeaders(204, -1);
        };

        LoadFigures total = LoadRun.run(model, options(model)).total();

        assertThat(total.count()).isEqualTo(200);
        assertThat(total.percentileMillis(75)).isGreaterThan(120);
        assertThat(total.percentileMillis(100)).isGreaterThan(450);
        assertThat(total.servicePercentileMillis(75)).isLessThan(total.percentileMillis(75) / 2);
        assertThat(total.servicePercentileMillis(100)).isGreaterThan(450);
    }

    private static void awaitFor(CountDownLatch latch, int millis) {
        try {
            assertThat(latch.await(millis, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatIsMoreThanTheQueueHolds_isDroppedAndCounted() throws Exception {
        ServiceModel model = TestModels.orders(200, 1, 1000);
        try (RawServer silent = new RawServer("")) {
            LoadOptions options = at(model, silent.target()).withQueue(5).withTimeout(Duration.ofMillis(400));

            LoadResult result = LoadRun.run(model, options);

            LoadFigures total = result.total();
            assertThat(total.dropped()).isGreaterThan(100);
            assertThat(total.count() + total.dropped()).isEqualTo(200);
            assertThat(total.errors()).containsOnlyKeys(LoadError.TIMEOUT);
            assertThat(total.percentileMillis(50)).isGreaterThan(399);
            assertThat(total.dropped())
                    .isEqualTo(result.routes().stream()
                            .mapToLong(LoadFigures::dropped)
                            .sum());
            assertThat(result.isReached()).isFalse();
        }
    }

    @Test
    void slowServer_isALoadThatIsNotReached() throws Exception {
        ServiceModel model = TestModels.orders(100, 1, 1000);
        CountDownLatch never = new CountDownLatch(1);
        behaviour = exchange -> {
            awaitFor(never, 15);
            exchange.sendResponseHeaders(204, -1);
        };

        LoadResult result = LoadRun.run(model, options(model));

        assertThat(result.total().count()).isEqualTo(100);
        assertThat(result.total().reachedPerSecond()).isLessThan(70);
        assertThat(result.isReached()).isFalse();
        assertThat(result.isFine()).isFalse();
    }

    @Test
    void connections_areClosedAfterTheirRequests() throws Exception {
        ServiceModel model = TestModels.orders(200, 4, 5);

        LoadResult result = LoadRun.run(model, options(model));

        assertThat(result.total().errorCount()).isZero();
        assertThat(result.connections()).isBetween(40L, 44L);
        assertThat(ports).hasSizeGreaterThan(35);
    }

    @Test
    void serverThatClosesAfterReplies_isAskedOnNewConnections() throws Exception {
        ServiceModel model = TestModels.orders(50, 2, 1000);
        behaviour = exchange -> {
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(new byte[100]);
        };

        LoadResult result = LoadRun.run(model, options(model));

        assertThat(result.total().replies()).isEqualTo(50);
        assertThat(result.connections()).isEqualTo(50);
        assertThat(result.total().bytes()).isEqualTo(5000);
    }

    @Test
    void bodies_areSentWhole() throws Exception {
        RequestModel upload =
                new RequestModel("POST", "/files", List.of(), List.of(), "text/plain", Quantiles.always(300_000), null);
        ServiceModel model = TestModels.service(20, 2, 1000, TestModels.route(1, upload));

        LoadResult result = LoadRun.run(model, options(model));

        assertThat(result.total().statuses()).containsExactly(Map.entry(204, 20L));
        assertThat(bodyBytes).hasValue(20 * 300_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "HTTP/1.1 200 OK\r\nConten"})
    void closeInTheMiddle_isCountedAsThat(String reply) throws Exception {
        expect(LoadError.CLOSED, reply);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.6\r\n\r\n\0\1 what?\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"
            })
    void garbage_isCountedAsThat(String reply) throws Exception {
        expect(LoadError.MALFORMED, reply);
    }

    private static void expect(LoadError error, String reply) throws Exception {
        ServiceModel model = TestModels.orders(30, 3, 1000);
        try (RawServer odd = new RawServer(reply)) {
            LoadResult result = LoadRun.run(model, at(model, odd.target()));

            assertThat(result.total().errors()).as(reply).containsExactly(Map.entry(error, 30L));
            assertThat(result.total().hasTimes()).isFalse();
            assertThat(result.isFine()).isFalse();
            assertThat(result.notes()).anyMatch(note -> note.startsWith("first " + error.word() + ": "));
        }
    }

    @Test
    void targetThatStopsListening_isRefused() throws Exception {
        ServiceModel model = TestModels.orders(100, 2, 1);
        behaviour = exchange -> {
            exchange.sendResponseHeaders(204, -1);
            if (asked.get() == 20) {
                new Thread(() -> server.stop(0)).start();
            }
        };

        LoadResult result = LoadRun.run(model, options(model));

        assertThat(result.total().count()).isEqualTo(100);
        assertThat(result.total().errors().get(LoadError.REFUSED)).isGreaterThan(50);
    }

    @Test
    void nobodyThere_isToldAtOnce() throws IOException {
        ServiceModel model = TestModels.orders(100, 2, 1);
        LoadTarget nobody;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new LoadTarget("127.0.0.1", closed.getLocalPort());
        }

        assertThatThrownBy(() -> LoadRun.run(model, at(model, nobody).withSeconds(60)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("can't connect to " + nobody);
        assertThatThrownBy(() -> LoadRun.run(model, at(model, new LoadTarget("no.such.invalid", 1))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no such host");
    }

    @Test
    void stop_hasWhatWasMeasured() throws Exception {
        ServiceModel model = TestModels.orders(200, 2, 1000);

        LoadResult result = LoadRun.run(model, options(model).withSeconds(60), () -> asked.get() >= 50, soFar -> {});

        assertThat(result.total().count()).isBetween(40L, 2000L);
        assertThat(result.seconds()).isLessThan(10);
        assertThat(result.total().wantedPerSecond()).isLessThan(400);
    }

    @Test
    void options_haveBounds() {
        LoadOptions fine = options(TestModels.orders(10, 1, 1));

        assertThatThrownBy(() -> fine.withRate(1_000_001)).hasMessageContaining("rate: ");
        assertThatThrownBy(() -> fine.withRate(Double.NaN)).hasMessageContaining("rate: ");
        assertThatThrownBy(() -> fine.withSeconds(0)).hasMessageContaining("seconds: 0");
        assertThatThrownBy(() -> fine.withConnections(0)).hasMessageContaining("connections: 0");
        assertThatThrownBy(() -> fine.withQueue(0)).hasMessageContaining("queue: 0");
        assertThatThrownBy(() -> fine.withTimeout(Duration.ZERO)).hasMessageContaining("timeout: 0 ms");
    }
}
