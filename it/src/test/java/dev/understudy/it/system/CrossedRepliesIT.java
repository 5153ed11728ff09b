package dev.understudy.it.system;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Twins;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests that make the very same upstream call, with another answer for each: whether each copy gets its own one's.
 */
@Tag("any-jdk")
class CrossedRepliesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 5;
    private static final long SEED = 4;

    @TempDir
    Path folder;

    /** Each has connections of its own: debug answers what comes on one connection one after the other. */
    private final List<HttpClient> clients = new ArrayList<>();

    @BeforeEach
    void prepare() {
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(HttpClient.newHttpClient());
        }
    }

    @Test
    void overlappingRequests_getTheirOwnRepliesByTheirTraces() throws Exception {
        Outcome outcome = overlapping(true);

        assertThat(outcome.different()).as("seed %d: %s", SEED, outcome).isZero();
        assertThat(outcome.matchedBy("TRACE")).as("%s", outcome.aggregator).isEqualTo(CLIENTS * ROUNDS);
        assertThat(outcome.aggregator.at("/upstreams/0/debug/ambiguous").asInt())
                .isZero();
    }

    @Test
    void overlappingRequests_areCrossedWhereNobodyTells_andCountedAsGuesses() throws Exception {
        Outcome outcome = overlapping(false);

        assertThat(outcome.different()).as("seed %d: %s", SEED, outcome).isPositive();
        assertThat(outcome.aggregator.at("/upstreams/0/debug/ambiguous").asInt())
                .isGreaterThanOrEqualTo(outcome.different() / 2);
    }

    /** Debug says for which request it asks, and production doesn't: any of eight replies may be the one. */
    @Test
    void differenceThatAGuessMayHaveMade_isNone() throws Exception {
        CyclicBarrier together = new CyclicBarrier(CLIENTS);
        Outcome outcome = run(true, true, false, call -> together.await(60, TimeUnit.SECONDS), twins -> {});

        assertThat(outcome.different()).as("seed %d: %s", SEED, outcome).isZero();
        assertThat(outcome.listener.at("/notCompared/GUESSED").asInt()).isPositive();
        assertThat(outcome.aggregator.at("/outgoing/guessed").asInt())
                .isGreaterThanOrEqualTo(
                        outcome.listener.at("/notCompared/GUESSED").asInt());
    }

    @Test
    void requestsThatOverlapInDebugOnly_getTheirOwnRepliesByProductionsTimes() throws Exception {
        Outcome outcome = run(true, false, false, call -> {}, this::assertExplained);

        assertThat(outcome.different()).as("seed %d: %s", SEED, outcome).isZero();
        int guessed = outcome.aggregator.at("/outgoing/guessed").asInt();
        assertThat(outcome.matchedBy("INTERVAL") + guessed)
                .as("%s", outcome.aggregator)
                .isEqualTo(CLIENTS * ROUNDS);
        // of a round's last request it may not have been told yet that no other one came meanwhile
        assertThat(guessed).isLessThanOrEqualTo(ROUNDS);
        assertThat(outcome.aggregator.at("/upstreams/0/debug/ambiguous").asInt())
                .isLessThanOrEqualTo(ROUNDS);
    }

    @Test
    void faults_areSetAndClearedFromTheTerminal() throws Exception {
        try (Twins twins = new Twins(folder, call -> {}, request -> {})) {
            String[] url = {"--url", twins.control()};
            assertThat(understudy("fault", "set", "numbers", "latency", "--delay", "200ms", url[0], url[1]))
                    .contains("numbers-latency", "delay 200ms", "hit 0 of 0 requests");
            assertThat(understudy("fault", "list", url[0], url[1])).contains("numbers-latency");
            assertThat(understudy("fault", "clear", url[0], url[1])).contains("no faults are set");
        }
    }

    /** Rounds of requests that are all at the upstream at once, and that debug goes on with in another order. */
    private Outcome overlapping(boolean linked) throws Exception {
        CyclicBarrier together = new CyclicBarrier(CLIENTS);
        return run(linked, true, true, call -> together.await(60, TimeUnit.SECONDS), twins -> {});
    }

    /**
     * @param overlapping whether the requests of a round come at the same time, or one after the other
     * @param traced whether clients begin traces
     * @param inTheEnd looks at what the aggregator knows
     */
    private Outcome run(boolean linked, boolean overlapping, boolean traced, Twins.Pause atUpstream, Look inTheEnd)
            throws Exception {
        CyclicBarrier copies = new CyclicBarrier(CLIENTS);
        Random random = new Random(SEED);
        Map<String, Turn> turns = new ConcurrentHashMap<>();
        try (Twins twins = new Twins(folder, atUpstream, request -> {
                    copies.await(60, TimeUnit.SECONDS);
                    Objects.requireNonNull(turns.get(request.getRequestHeaders().getFirst("X-Turn")))
                            .take();
                });
                TeeStage tee = tee(twins, linked)) {
            for (int round = 0; round < ROUNDS; round++) {
                List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
                draw(turns, round, random);
                for (int client = 0; client < CLIENTS; client++) {
                    replies.add(ask(tee, clients.get(client), round + "-" + client, traced ? trace(random) : null));
                    if (!overlapping) {
                        replies.get(client).join();
                    }
                }
                for (CompletableFuture<HttpResponse<String>> reply : replies) {
                    assertThat(reply.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
                }
                tee.awaitExchanges((round + 1) * CLIENTS);
                turns.clear();
            }
            inTheEnd.at(twins);
            JsonNode differing = tee.read("/v1/exchanges?verdict=different&limit=5");
            return new Outcome(tee.listener(), twins.status(), differing);
        }
    }

    private void assertExplained(Twins twins) throws Exception {
        String list = understudy("match", "list", "--url", twins.control());
        assertThat(list).contains("REPLAYED", "INTERVAL", "GET /next");
        assertThat(understudy("match", "explain", list.substring(0, list.indexOf(' ')), "--url", twins.control()))
                .contains("made for    inbound exchange", "decided by  INTERVAL");
    }

    private interface Look {
        void at(Twins twins) throws Exception;
    }

    /** Draws lots for the order in which debug goes on with the requests of a round. */
    private static void draw(Map<String, Turn> turns, int round, Random random) {
        List<Integer> order = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            order.add(client);
        }
        Collections.shuffle(order, random);
        CountDownLatch mine = new CountDownLatch(0);
        for (int client : order) {
            CountDownLatch next = new CountDownLatch(1);
            turns.put(round + "-" + client, new Turn(mine, next));
            mine = next;
        }
    }

    /** When one may go on, and how it lets the next one. */
    private record Turn(CountDownLatch mine, CountDownLatch next) {
        void take() throws InterruptedException {
            assertThat(mine.await(60, TimeUnit.SECONDS)).isTrue();
            next.countDown();
        }
    }

    private TeeStage tee(Twins twins, boolean linked) throws Exception {
        String listener = "production: 127.0.0.1:%d, debug: 127.0.0.1:%d, protocol: http, order: connection"
                .formatted(twins.production(), twins.debug());
        if (!linked) {
            return TeeStage.open(folder, listener);
        }
        TeeStage tee = TeeStage.open(folder, listener, "aggregator.url=" + twins.control());
        await("link")
                .atMost(PATIENCE)
                .until(() -> twins.status().at("/inbound/linked").asBoolean());
        return tee;
    }

    private String understudy(String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("./understudy"));
        line.addAll(List.of(command));
        try (Child child = Child.start(folder.resolve("command.log"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isZero();
            return child.output();
        }
    }

    private static CompletableFuture<HttpResponse<String>> ask(
            TeeStage tee, HttpClient client, String turn, @Nullable String trace) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tee.port() + "/work"))
                .header("X-Turn", turn);
        if (trace != null) {
            request.header("traceparent", trace);
        }
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private static String trace(Random random) {
        return "00-%016x%016x-%016x-01".formatted(random.nextLong(), random.nextLong(), random.nextLong());
    }

    /** What both programs said in the end. */
    private record Outcome(JsonNode listener, JsonNode aggregator, JsonNode differing) {
        int different() {
            return listener.at("/verdicts/DIFFERENT").asInt();
        }

        /** How many were decided by this, or by the values in production's reply where this came too late. */
        int matchedBy(String reason) {
            JsonNode matched = aggregator.at("/upstreams/0/debug/matched");
            return matched.path(reason).asInt() + matched.path("VALUES").asInt();
        }
    }
}
