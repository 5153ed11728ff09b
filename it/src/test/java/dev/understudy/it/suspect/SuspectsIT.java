package dev.understudy.it.suspect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Production and debug run the same build, with the same bug; one request in 50 triggers it. */
class SuspectsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** Agents report, follow orders and count by the second: more requests meanwhile would only take their time. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private static final int ONE_IN = 50;
    private static final int LEDGER_ONE_IN = 20;

    @TempDir
    Path folder;

    private final Random random = new Random(11);
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void theGuiltyMethod_isAmongTheFirstFive() throws Exception {
        debugging(Shop.class, tee -> {
            JsonNode found = awaitFound(tee, number -> ask(tee.port(), number % ONE_IN == 0), now -> {
                List<String> ranked = ranked(now);
                assertThat(ranked.subList(0, Math.min(5, ranked.size())))
                        .anyMatch(method -> method.endsWith("Shop#rebate") || method.endsWith("Shop#fixed"));
            });

            assertThat(found.at("/failingBy/STATUS").asInt())
                    .isEqualTo(found.at("/exchanges/failing").asInt());
            assertThat(found.at("/suspects/0/example/request").asText()).contains("code=fifty");
            awaitSaid(tee, "#1 failing: dev.understudy.it.suspect.Shop#", "STATUS), ", "example: ");
            long begun = System.nanoTime();
            String compared = Understudy.run(folder, 0, "compare", "--url", tee.control());
            System.out.println("Compared in " + (System.nanoTime() - begun) / 1_000_000 + " ms: " + compared);
            assertThat(compared)
                    .contains("; again 500, 500", "; again 200")
                    .as("both good ones may have had the same cart by chance, which then parts first")
                    .containsPattern(
                            "#[1-3] dev.understudy.it.suspect.Shop#rebate\\s+failing +called \\S+Shop#fixed\\s");
            String reduced = Understudy.run(folder, 0, "compare", "--reduce", "--url", tee.control());
            assertThat(reduced)
                    .contains("   without parameter code=fifty: 200", "; again 500, 500", "; again 200, 200")
                    .containsPattern("good +exchange \\d+, GET /cart/\\d+x\\d+, 200")
                    .containsPattern(
                            "#[1-3] dev.understudy.it.suspect.Shop#rebate\\s+failing +called \\S+Shop#fixed\\s");
            await("the classes are as before")
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(tee.read("/v1/agent").toString()).contains("\"executions\":\"none\""));
        });
    }

    @Test
    @Tag("any-jdk")
    void aBugThatOnlyAWayThroughTheCodeTells_isFound_sinceTheAgentsLookCloserByThemselves() throws Exception {
        debugging(Ledger.class, tee -> {
            awaitFound(
                    tee,
                    number -> book(tee.port(), number % LEDGER_ONE_IN == 0),
                    found -> assertFirst(found, "Ledger$Fees#fee", "at line \\d+ went on, not to line \\d+"));

            assertThat(tee.read("/v1/orders").at("/orders/deepen/classes").toString())
                    .contains("Ledger$Fees");
            awaitSaid(tee, "Ledger$Fees#fee at line ");
        });
    }

    @Test
    @Tag("any-jdk")
    void aBugThatOnlyTwoNumbersTell_isFound() throws Exception {
        findInClerk("Clerk$Bills#paid", "at line \\d+ made second greater than first", trigger -> {
            int total = 100 + random.nextInt(150);
            int larger = total / 2 + 1 + random.nextInt(total / 10);
            return "/split/" + total + "/" + (trigger ? total - larger : larger);
        });
    }

    @Test
    @Tag("any-jdk")
    void aBugThatOnlyAnArgumentTells_isFound() throws Exception {
        findInClerk(
                "Clerk$Labels#escaped",
                "was called with a < or > in text",
                trigger -> "/label/" + (random.nextBoolean() ? "ring" : "blue%20ring%20&%20box")
                        + (trigger ? "%20%3C" : "%20") + random.nextInt(90));
    }

    @Test
    void aReadLockAndAnotherThatAreTakenBothWays_areACircle_behindTheFirstSuspectThatHasAPartInIt() throws Exception {
        debugging(Stock.class, tee -> {
            JsonNode found = awaitFound(tee, number -> pickOrMark(tee.port(), number % LEDGER_ONE_IN == 0), now -> {
                assertThat(now.path("suspects")).isNotEmpty();
                assertThat(now.path("lockCycles")).isNotEmpty();
            });

            assertThat(found.path("lockCycles")).as(found.toPrettyString()).hasSize(1);
            JsonNode circle = found.at("/lockCycles/0");
            assertThat(circle.path("steps"))
                    .extracting(step -> step.path("holds").asText() + " "
                            + step.path("takes").asText())
                    .containsExactlyInAnyOrder(
                            "Stock.PRICES.readLock() Stock.SHELVES", "Stock.SHELVES Stock.PRICES.writeLock()");
            List<Integer> ranks = new ArrayList<>();
            found.path("suspects").forEach(one -> ranks.add(one.path("rank").asInt()));
            ranks.add(circle.path("rank").asInt());
            assertThat(ranks)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.rangeClosed(1, ranks.size()).boxed().toList());
            await("what the command says")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(said(tee))
                            .contains(
                                    "#1 failing: dev.understudy.it.suspect.Stock#",
                                    "#" + tee.read("/v1/suspects").at("/lockCycles/0/rank")
                                            + " circle: locks taken in a circle",
                                    "holding Stock.PRICES.readLock()"
                                            + " (java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock)"));
        });
    }

    @Test
    @Tag("any-jdk")
    void aLeak_isFoundThoughNoExchangeFails() throws Exception {
        debugging(Attic.class, ",leaks=1s", tee -> {
            JsonNode found = awaitFound(tee, number -> keepOrWeigh(tee.port(), number), now -> {
                assertThat(now.path("growing"))
                        .extracting(one -> one.path("class").asText())
                        .contains("dev.understudy.it.suspect.Attic$Box");
                JsonNode first = now.at("/leaks/0");
                assertThat(first.path("rank").asInt()).isEqualTo(1);
                assertThat(first.path("class").asText()).isEqualTo("dev.understudy.it.suspect.Attic$Box");
                assertThat(first.path("method").asText()).matches(".*\\.Attic#(packed|keep).*");
            });

            assertThat(found.path("suspects")).isEmpty();
            awaitSaid(tee, "#1 leak: dev.understudy.it.suspect.Attic#");
            assertThat(said(tee)).doesNotContain("Attic#weigh");
        });
    }

    private void findInClerk(String method, String predicate, Function<Boolean, String> path) throws Exception {
        debugging(Clerk.class, tee -> {
            awaitFound(
                    tee,
                    number -> {
                        boolean trigger = number % LEDGER_ONE_IN == 0;
                        get(tee.port(), path.apply(trigger), trigger);
                    },
                    found -> assertFirst(found, method, predicate));

            awaitSaid(tee, "#1 failing: dev.understudy.it.suspect." + method);
        });
    }

    private static void assertFirst(JsonNode found, String method, String predicate) {
        JsonNode first = found.at("/suspects/0");
        assertThat(first.path("method").asText()).endsWith(method);
        assertThat(first.path("predicate").asText()).matches(predicate);
    }

    /**
     * Makes requests until what is found is so, and returns it: a ranking by few exchanges may still be another one.
     */
    private static JsonNode awaitFound(TeeStage tee, Request request, Consumer<JsonNode> so) {
        int[] sent = new int[1];
        JsonNode[] found = new JsonNode[1];
        await("what is found").pollInterval(BETWEEN_LOOKS).atMost(PATIENCE).untilAsserted(() -> {
            for (int i = 0; i < 100; i++) {
                request.make(sent[0]++);
            }
            found[0] = tee.read("/v1/suspects");
            assertThat(found).as(found[0].toPrettyString()).allSatisfy(so);
        });
        System.out.println("Found after " + sent[0] + " requests: " + found[0]);
        return found[0];
    }

    /** The ranking may change with what comes in meanwhile. */
    private void awaitSaid(TeeStage tee, String... texts) {
        await("what the command says")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(said(tee)).contains(texts));
    }

    private String said(TeeStage tee) throws Exception {
        return Understudy.run(folder, 1, "suspects", "--url", tee.control());
    }

    /** Runs the service as production and, with the agent, as debug JVM, and then the test. */
    private void debugging(Class<?> service, Debugging test) throws Exception {
        debugging(service, "", test);
    }

    /** The same, with more settings of the agent. */
    private void debugging(Class<?> service, String settings, Debugging test) throws Exception {
        // production is there first; the debug JVM needs the sidecar's control port, the sidecar the debug JVM's
        try (Child production = OwnJvm.start(folder, service, "production")) {
            int debugPort = FreePorts.next();
            try (TeeStage tee = TeeStage.open(folder, "http", OwnJvm.port(production), debugPort);
                    Child debug = OwnJvm.start(
                            folder,
                            service,
                            "debug",
                            OwnJvm.AGENT + ",name=suspects-debug,sidecar=" + tee.control() + settings,
                            "-Dport=" + debugPort)) {
                OwnJvm.awaitArmed(debug, tee);
                test.with(tee);
            }
        }
    }

    private interface Debugging {
        void with(TeeStage tee) throws Exception;
    }

    private interface Request {
        void make(int number) throws IOException, InterruptedException;
    }

    private void pickOrMark(int port, boolean trigger) throws IOException, InterruptedException {
        int article = random.nextInt(90);
        boolean marks = trigger || random.nextBoolean();
        int cents = trigger ? 0 : 1 + random.nextInt(900);
        get(port, marks ? "/mark/" + article + "x" + cents : "/pick/" + article, trigger);
    }

    private void keepOrWeigh(int port, int number) throws IOException, InterruptedException {
        get(port, (number % 5 == 0 ? "/keep/" : "/weigh/") + random.nextInt(90), false);
    }

    private void book(int port, boolean trigger) throws IOException, InterruptedException {
        int amount = trigger ? 100 * (1 + random.nextInt(9)) : 100 * random.nextInt(9) + 1 + random.nextInt(99);
        get(port, "/book/" + amount + "/" + (1 + random.nextInt(98)), trigger);
    }

    private void get(int port, String path, boolean fails) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(fails ? 500 : 200);
    }

    /** Methods in the order in which a user reads of them. */
    private static List<String> ranked(JsonNode found) {
        List<String> methods = new ArrayList<>();
        for (JsonNode suspect : found.path("suspects")) {
            methods.add(suspect.path("method").asText());
            suspect.path("alike")
                    .forEach(alike -> methods.add(alike.path("method").asText()));
        }
        return methods.stream().distinct().toList();
    }

    private void ask(int port, boolean trigger) throws IOException, InterruptedException {
        String cart = (1 + random.nextInt(90)) + "x" + (1 + random.nextInt(4));
        if (!trigger && random.nextBoolean()) {
            cart += "," + (1 + random.nextInt(90)) + "x" + (1 + random.nextInt(9));
        }
        String code = trigger ? "?code=fifty" : random.nextInt(3) == 0 ? "?code=spring" : "";
        get(port, "/cart/" + cart + code, trigger);
    }
}
