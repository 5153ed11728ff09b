package dev.understudy.sidecar.experiment;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.control.AgentMeters;
import dev.understudy.sidecar.control.AgentReports;
import dev.understudy.sidecar.control.OrdersView;
import dev.understudy.sidecar.experiment.Comparison.State;
import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.reduce.CallText;
import dev.understudy.sidecar.steer.Orders;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyPair;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Nobody is waited for without end. */
final class ComparisonTest {
    private static final Duration PATIENCE = Duration.ofMillis(300);
    /** Many replies are waited for, none in vain. */
    private static final Duration PATIENCE_ON_A_BUSY_MACHINE = Duration.ofSeconds(2);

    private static final Failing FAILING = new Failing("STATUS", "status from 500 on");

    private final ExchangeLog log = ExchangeLog.of(100, 64L << 20);
    private final Requests requests = new Requests(log, new Labels(LabelRule.defaults()));
    private final Orders orders = new Orders();
    private final List<Long> again = new ArrayList<>();
    private final List<Long> over = new ArrayList<>();
    private boolean isTold = true;
    private final RerunNotice notice = new RerunNotice() {
        @Override
        public CompletableFuture<Boolean> give(String trace, long exchange) {
            again.add(exchange);
            return CompletableFuture.completedFuture(isTold);
        }

        @Override
        public void over(String trace, long exchange) {
            over.add(exchange);
        }
    };
    private final AgentReports agents =
            new AgentReports(() -> {}, () -> {}, new AgentMeters(new SimpleMeterRegistry(), System::nanoTime));

    @Test
    void agentThatDoesNothing_isntWaitedFor_andTheOrderIsTakenBack() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Comparison comparison = comparison(silent.getLocalSocketAddress());

            comparison.run();

            assertThat(comparison.result().state()).isEqualTo(State.GIVEN_UP);
            assertThat(comparison.result().words()).isEqualTo("the agent didn't follow in time");
            assertThat(orders.sheet().kinds()).isEmpty();
            assertThat(orders.revision()).isEqualTo(2);
        }
    }

    @Test
    void copyThatDoesntAnswer_isntWaitedFor() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            follow();
            Comparison comparison = comparison(silent.getLocalSocketAddress());

            comparison.run();

            assertThat(comparison.result().words())
                    .startsWith("the request that went well fails now, too: no reply within 300 ms; it may need");
        }
    }

    @Test
    void agentThatTellsNothing_isntWaitedFor() throws Exception {
        HttpServer copy = copy(200);
        try {
            follow();
            Comparison comparison = comparison(copy.getAddress());

            comparison.run();

            assertThat(comparison.result().asked())
                    .extracting(Comparison.Asked::reply)
                    .containsExactly("500", "200", "500");
            assertThat(again).as("whose upstream replies were given again").containsExactly(1L, 2L, 1L);
            assertThat(over).isEqualTo(again);
            assertThat(comparison.result().words()).startsWith("the agent told nothing of a request");
            assertThat(orders.sheet().kinds()).isEmpty();
        } finally {
            copy.stop(0);
        }
    }

    @Test
    void goodRequestThatIsAnsweredOtherwise_isNotCompared() throws Exception {
        HttpServer copy = copy(401);
        try {
            follow();
            Comparison comparison = comparison(copy.getAddress());

            comparison.run();

            assertThat(comparison.result().words())
                    .startsWith("the request that went well is answered otherwise now: 401 instead of 200; it may");
        } finally {
            copy.stop(0);
        }
    }

    /** Its calls would take what others wait for. */
    @Test
    void aggregatorThatCantBeTold_endsItBeforeAnythingIsSent() throws Exception {
        HttpServer copy = copy(200);
        try {
            isTold = false;
            follow();
            Comparison comparison = comparison(copy.getAddress());

            comparison.run();

            assertThat(comparison.result().words()).isEqualTo("the aggregator can't be told of what is sent");
            assertThat(comparison.result().asked()).isEmpty();
            assertThat(over).as("it may know nevertheless").containsExactly(1L);
        } finally {
            copy.stop(0);
        }
    }

    /** Its session has ended, for example. */
    @Test
    void oneGoodRequestThatIsAnsweredAsBefore_isEnough() throws Exception {
        for (String ended : List.of("good", "other")) {
            HttpServer copy = copy(query -> query.equals(ended) ? 401 : 200);
            try {
                follow();
                Comparison comparison = comparison(copy.getAddress(), 2);

                comparison.run();

                assertThat(comparison.result().asked())
                        .extracting(Comparison.Asked::reply)
                        .containsExactlyInAnyOrder("500", "500", "200", "401");
                assertThat(comparison.result().words()).startsWith("the agent told nothing of a request");
            } finally {
                copy.stop(0);
            }
        }
    }

    @Test
    void smallerRequestsThatAreRefused_leaveTheGoodOnesOfTheRoute_ifThereAreAny() throws Exception {
        HttpServer copy = copy(query -> query.equals("good") ? 200 : 404);
        try {
            follow();
            Comparison withGood = comparison(copy.getAddress(), 1, true);
            Comparison alone = comparison(copy.getAddress(), 0, true);

            withGood.run();
            alone.run();

            assertThat(withGood.compared().reduced()).isNotNull();
            assertThat(withGood.compared().isPart()).isFalse();
            assertThat(alone.compared().reduced()).isNotNull();
            assertThat(withGood.result().asked())
                    .extracting(Comparison.Asked::exchange)
                    .containsExactly(1L, 2L, 1L);
            assertThat(withGood.result().words()).startsWith("the agent told nothing of a request");
            assertThat(alone.result().words())
                    .isEqualTo("each smaller request fails or is refused, and no request of the route that went well"
                            + " is kept");
            assertThat(over).as("each is over").isEqualTo(again);
        } finally {
            copy.stop(0);
        }
    }

    /** What ends a connection fails otherwise than what is answered with 500. */
    @Test
    void partThatGetsNoReply_isAnotherFailure() throws Exception {
        HttpServer copy = copy(query -> query.equals("good") ? 200 : 0);
        try {
            follow();
            Comparison comparison = comparison(copy.getAddress(), 1, true);

            comparison.run();

            assertThat(Objects.requireNonNull(comparison.compared().reduced()).request())
                    .startsWith("GET /x?bad HTTP/1.1");
        } finally {
            copy.stop(0);
        }
    }

    @Test
    void requestThatFailsByChance_isNotMadeSmaller() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HttpServer copy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        copy.createContext("/", exchange -> {
            exchange.sendResponseHeaders(asked.incrementAndGet() == 2 ? 200 : 500, -1);
            exchange.close();
        });
        copy.start();
        try {
            Comparison comparison = comparison(copy.getAddress(), 1, true);

            comparison.run();

            assertThat(comparison.result().words()).startsWith("the request fails by chance, 2 of 3 times");
            assertThat(asked).hasValue(3);
        } finally {
            copy.stop(0);
        }
    }

    private static HttpServer copy(int good) throws IOException {
        return copy(query -> good);
    }

    /** A copy that fails on bad requests, and answers others with that status. */
    private static HttpServer copy(ToIntFunction<String> good) throws IOException {
        HttpServer copy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        copy.createContext("/x", exchange -> {
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            int status = query.equals("bad") ? 500 : good.applyAsInt(query);
            if (status > 0) {
                exchange.sendResponseHeaders(status, -1);
            }
            exchange.close();
        });
        copy.start();
        return copy;
    }

    /** An agent says that it has done whatever is ordered. */
    private void follow() {
        byte[] report = "{\"name\":\"a\",\"orders\":{\"revision\":9}}".getBytes(StandardCharsets.UTF_8);
        assertThat(agents.post(new Call("/v1/agent", Map.of(), "application/json", report))
                        .status())
                .isEqualTo(200);
    }

    private Comparison comparison(SocketAddress copy) {
        return comparison(copy, 1);
    }

    private Comparison comparison(SocketAddress copy, int good) {
        return comparison(copy, good, false);
    }

    private Comparison comparison(SocketAddress copy, int good, boolean reduces) {
        add(1, "GET /x?bad", 500, FAILING);
        add(2, "GET /x?good", 200, null);
        if (good > 1) {
            add(3, "GET /x?other", 200, null);
        }
        Sample failing = requests.failing(0).orElseThrow();
        return new Comparison(
                requests,
                new RecordingOrders(orders, new OrdersView(orders, agents, () -> Duration.ZERO)),
                ComparedRequests.recorded(failing, requests.passing(failing, good)),
                reduces ? new CallText(Masking.PLAIN) : null,
                (InetSocketAddress) copy,
                new IdentityMap(1),
                notice,
                List.of("A"),
                reduces ? PATIENCE_ON_A_BUSY_MACHINE : PATIENCE);
    }

    private void add(long exchange, String request, int status, @Nullable Failing failing) {
        byte[] bytes = (request + " HTTP/1.1\r\nHost: shop\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        Judged judged =
                new Judged(exchange, "web", 1, null, request, Verdict.SAME, null, 5.0, 5.0, 0, status, status, 0);
        log.add("debug", "GET /x", judged, failing, new ReplyPair(null, null, bytes));
    }
}
