package dev.understudy.sidecar.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.sidecar.verdict.Outgoing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

class AggregatorLinkTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final BlockingQueue<JsonNode> news = new LinkedBlockingQueue<>();
    private final Queue<JsonNode> waiting = new ArrayDeque<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile int status = 200;
    private volatile String answer = "{}";
    private final List<Outgoing> compared = new CopyOnWriteArrayList<>();
    private HttpServer aggregator;
    private AggregatorLink link;

    @BeforeEach
    void start() throws IOException {
        aggregator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        aggregator.createContext("/v1/inbound", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            news.add(new ObjectMapper().readTree(exchange.getRequestBody()));
            try {
                held.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        aggregator.start();
        String url = "http://127.0.0.1:" + aggregator.getAddress().getPort() + "/";
        link = new AggregatorLink(new LinkClient(new LinkConfig(url, "s3cret", "")), () -> 1_000, compared::add);
    }

    @AfterEach
    void stop() {
        held.countDown();
        link.close();
        aggregator.stop(0);
    }

    @Test
    void whatIsTold_arrivesAsItIs() throws InterruptedException {
        link.told(
                new InboundState(7, PARENT, "1".repeat(32), null, 10, InboundState.NOT_YET, 20, InboundState.NOT_YET));
        link.told(new InboundState(8, "nonsense\"", null, null, 11, 30, 21, 31));

        JsonNode first = next();
        assertThat(first.toString())
                .isEqualTo("{\"id\":7,\"arrived\":10,\"handed\":20,\"trace\":\"4bf92f3577b34da6a3ce929d0e0e4736\","
                        + "\"debugTrace\":\"11111111111111111111111111111111\"}");
        assertThat(next().toString()).isEqualTo("{\"id\":8,\"arrived\":11,\"replied\":30,\"handed\":21,\"done\":31}");
        assertThat(tokens).contains("Bearer s3cret");
        await().until(() -> link.told() == 2 && link.up());
    }

    @Test
    void exchangeThatIsRunAgain_isKnownBeforeItIsSent() throws Exception {
        await().until(link::up);

        link.keep(5);
        link.give("2".repeat(32), 7, true).get(60, TimeUnit.SECONDS);

        link.over("2".repeat(32), 7);
        List<String> told = new ArrayList<>();
        await().untilAsserted(() -> {
            for (JsonNode next = news.poll(); next != null; next = news.poll()) {
                told.add(next.path("reruns").toString());
            }
            assertThat(told)
                    .containsSubsequence(
                            "[{\"trace\":\"22222222222222222222222222222222\",\"exchange\":7,\"alone\":true}]",
                            "[{\"trace\":\"22222222222222222222222222222222\",\"exchange\":7,\"over\":true}]");
        });
    }

    @Test
    void moreThanOneMessageMayTellOf_isLeftOut() throws Exception {
        await().until(link::up);
        held = new CountDownLatch(1);
        for (int i = 0; i < 10_000; i++) {
            link.keep(i);
        }
        held.countDown();
        link.give("2".repeat(32), 7, true).get(60, TimeUnit.SECONDS);

        List<JsonNode> told = new ArrayList<>();
        news.drainTo(told);
        assertThat(told)
                .allSatisfy(message -> assertThat(message.path("kept").size()).isLessThanOrEqualTo(4_096));
        assertThat(told).anyMatch(message -> message.path("kept").size() > 0);
    }

    @Test
    void aggregatorThatDoesntAnswer_isntWaitedFor() throws Exception {
        await().until(link::up);
        held = new CountDownLatch(1);
        link.told(new InboundState(7, null, null, null, 1, 1, 1, 1));
        for (int i = 0; i < 100; i++) {
            link.give("2".repeat(32), i, false);
        }

        assertThat(link.give("2".repeat(32), 7, true).get(60, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void silence_isToldToo() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            JsonNode pulse = news.poll(60, TimeUnit.SECONDS);
            assertThat(pulse).isNotNull();
            assertThat(pulse.path("exchanges")).isEmpty();
            assertThat(pulse.path("sent").asLong() - pulse.path("completeUntil").asLong())
                    .isEqualTo(1_000);
        }
    }

    @Test
    void whatWasToldBefore_isKnownByTheTimeThatAMessageNames() throws InterruptedException {
        for (int id = 1; id <= 20; id++) {
            link.told(new InboundState(id, null, null, null, 1, 1, 1, 1));
            long after = System.nanoTime();
            boolean known = false;
            for (long until = 0; until < after; ) {
                JsonNode message = news.poll(60, TimeUnit.SECONDS);
                assertThat(message).isNotNull();
                until = message.path("toldUntil").asLong();
                for (JsonNode exchange : message.path("exchanges")) {
                    known |= exchange.path("id").asInt() == id;
                }
            }
            assertThat(known).as("exchange %d", id).isTrue();
        }
    }

    @Test
    void whatFindsNoRoom_isCountedAndNobodyWaits() {
        held = new CountDownLatch(1);
        int told = AggregatorLink.ROOM + 5_000;
        for (int i = 0; i < told; i++) {
            link.told(new InboundState(i, null, null, null, i, 1, 1, 1));
        }
        held.countDown();

        await().until(() -> link.told() + link.dropped() == told);
        assertThat(link.dropped()).isPositive();
    }

    @Test
    void refusal_isSeen() {
        status = 401;
        link.told(new InboundState(1, null, null, null, 1, 1, 1, 1));

        await().until(() -> link.dropped() == 1 && !link.up());
        status = 200;
        await().until(link::up);
    }

    @Test
    void answer_tellsHowUpstreamCallsCompare() {
        answer = """
                {"outgoing": [
                  {"inbound": 7, "kind": "SAME", "production": 2, "debug": 2, "differences": []},
                  {"inbound": 8, "kind": "DIFFERENT", "production": 1, "debug": 1, "differences": [
                    {"kind": "CHANGED", "upstream": "db", "production": "select 1", "debug": "select 2"}]},
                  {"inbound": 9, "kind": "NEW", "reason": "AMBIGUOUS", "production": 1, "debug": 0,
                   "guesses": 3}]}""";

        await().until(() -> compared.size() >= 3);
        assertThat(List.copyOf(compared).subList(0, 3))
                .containsExactly(
                        new Outgoing(7, VerdictKind.SAME, null, 2, 2, List.of(), 0),
                        new Outgoing(
                                8,
                                VerdictKind.DIFFERENT,
                                null,
                                1,
                                1,
                                List.of(new Outgoing.Call("CHANGED", "db", "select 1", "select 2")),
                                0),
                        new Outgoing(9, VerdictKind.NOT_COMPARED, "AMBIGUOUS", 1, 0, List.of(), 3));
    }

    @Test
    void answerThatIsNone_isSeen() {
        answer = "<html>";
        await().until(() -> !link.up());
        answer = "{}";
        await().until(link::up);
    }

    private JsonNode next() throws InterruptedException {
        while (waiting.isEmpty()) {
            JsonNode message = news.poll(60, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            message.path("exchanges").forEach(waiting::add);
        }
        return waiting.remove();
    }
}
