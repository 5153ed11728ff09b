package dev.understudy.it.suspect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.RealServer;
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
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Production and debug run the same build, with the same bug; one request in 50 triggers it. */
class SuspectsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ONE_IN = 50;
    private static final int LEDGER_ONE_IN = 20;

    @TempDir
    Path folder;

    private final Random random = new Random(11);
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void theGuiltyMethod_isAmongTheFirstFive() throws Exception {
        debugging(Shop.class, tee -> {
            int[] sent = new int[1];
            await("suspects").atMost(PATIENCE).until(() -> {
                for (int i = 0; i < 100; i++) {
                    ask(tee.port(), sent[0]++ % ONE_IN == 0);
                }
                return !tee.read("/v1/suspects").path("suspects").isEmpty();
            });

            JsonNode found = tee.read("/v1/suspects");
            System.out.println("Suspects after " + sent[0] + " requests: " + found);
            List<String> ranked = ranked(found);
            assertThat(ranked.subList(0, Math.min(5, ranked.size())))
                    .as(found.toPrettyString())
                    .anyMatch(method -> method.endsWith("Shop#rebate") || method.endsWith("Shop#fixed"));
            assertThat(found.at("/failingBy/STATUS").asInt())
                    .isEqualTo(found.at("/exchanges/failing").asInt());
            assertThat(found.at("/suspects/0/example/request").asText()).contains("code=fifty");
            assertThat(Understudy.run(folder, 1, "suspects", "--url", tee.control()))
                    .contains("#1 failing: dev.understudy.it.suspect.Shop#", "STATUS), ", "example: ");
        });
    }

    @Test
    void aBugThatOnlyAWayThroughTheCodeTells_isFound_sinceTheAgentsLookCloserByThemselves() throws Exception {
        debugging(Ledger.class, tee -> {
            int[] sent = new int[1];
            await("suspects").atMost(PATIENCE.multipliedBy(2)).until(() -> {
                for (int i = 0; i < 100; i++) {
                    book(tee.port(), sent[0]++ % LEDGER_ONE_IN == 0);
                }
                JsonNode first = tee.read("/v1/suspects").at("/suspects/0/method");
                return first.asText().endsWith("Ledger$Fees#fee");
            });

            JsonNode found = tee.read("/v1/suspects");
            System.out.println("Suspects after " + sent[0] + " requests: " + found);
            assertThat(tee.read("/v1/orders").at("/orders/deepen/classes").toString())
                    .contains("Ledger$Fees");
            JsonNode first = found.at("/suspects/0");
            assertThat(first.path("method").asText()).as(found.toPrettyString()).endsWith("Ledger$Fees#fee");
            assertThat(first.path("predicate").asText()).matches("at line \\d+ went on, not to line \\d+");
            assertThat(Understudy.run(folder, 1, "suspects", "--url", tee.control()))
                    .contains("Ledger$Fees#fee at line ");
        });
    }

    @Test
    void aBugThatOnlyTwoNumbersTell_isFound() throws Exception {
        findInClerk("Clerk$Bills#paid", "at line \\d+ made second greater than first", trigger -> {
            int total = 100 + random.nextInt(150);
            int larger = total / 2 + 1 + random.nextInt(total / 10);
            return "/split/" + total + "/" + (trigger ? total - larger : larger);
        });
    }

    @Test
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
            int[] sent = new int[1];
            await("suspects and a circle").atMost(PATIENCE).until(() -> {
                for (int i = 0; i < 100; i++) {
                    boolean trigger = sent[0]++ % LEDGER_ONE_IN == 0;
                    int article = random.nextInt(90);
                    boolean marks = trigger || random.nextBoolean();
                    int cents = trigger ? 0 : 1 + random.nextInt(900);
                    get(tee.port(), marks ? "/mark/" + article + "x" + cents : "/pick/" + article, trigger);
                }
                JsonNode found = tee.read("/v1/suspects");
                return !found.path("suspects").isEmpty()
                        && !found.path("lockCycles").isEmpty();
            });

            JsonNode found = tee.read("/v1/suspects");
            System.out.println("Suspects after " + sent[0] + " requests: " + found);
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
            assertThat(Understudy.run(folder, 1, "suspects", "--url", tee.control()))
                    .contains(
                            "#1 failing: dev.understudy.it.suspect.Stock#",
                            "#" + circle.path("rank").asInt() + " circle: locks taken in a circle",
                            "holding Stock.PRICES.readLock() (java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock)");
        });
    }

    @Test
    void aLeak_isFoundThoughNoExchangeFails() throws Exception {
        debugging(Attic.class, ",leaks=1s", tee -> {
            await("a leak").atMost(PATIENCE.multipliedBy(2)).until(() -> {
                for (int i = 0; i < 50; i++) {
                    get(tee.port(), (i % 5 == 0 ? "/keep/" : "/weigh/") + random.nextInt(90), false);
                }
                return !tee.read("/v1/suspects").path("leaks").isEmpty();
            });

            JsonNode found = tee.read("/v1/suspects");
            System.out.println("Leaks: " + found);
            assertThat(found.path("suspects")).isEmpty();
            assertThat(found.path("growing"))
                    .extracting(one -> one.path("class").asText())
                    .contains("dev.understudy.it.suspect.Attic$Box");
            JsonNode first = found.at("/leaks/0");
            assertThat(first.path("rank").asInt()).isEqualTo(1);
            assertThat(first.path("class").asText()).isEqualTo("dev.understudy.it.suspect.Attic$Box");
            assertThat(first.path("method").asText()).matches(".*\\.Attic#(packed|keep).*");
            assertThat(Understudy.run(folder, 1, "suspects", "--url", tee.control()))
                    .contains("#1 leak: dev.understudy.it.suspect.Attic#")
                    .doesNotContain("Attic#weigh");
        });
    }

    private void findInClerk(String method, String predicate, Function<Boolean, String> path) throws Exception {
        debugging(Clerk.class, tee -> {
            int[] sent = new int[1];
            await("suspects").atMost(PATIENCE.multipliedBy(2)).until(() -> {
                for (int i = 0; i < 100; i++) {
                    boolean trigger = sent[0]++ % LEDGER_ONE_IN == 0;
                    get(tee.port(), path.apply(trigger), trigger);
                }
                JsonNode first = tee.read("/v1/suspects").at("/suspects/0");
                return first.path("method").asText().endsWith(method)
                        && first.path("predicate").asText().matches(predicate);
            });

            System.out.println("Suspects after " + sent[0] + " requests: " + tee.read("/v1/suspects"));
            assertThat(Understudy.run(folder, 1, "suspects", "--url", tee.control()))
                    .contains("#1 failing: dev.understudy.it.suspect." + method);
        });
    }

    /** Runs the service as production and, with the agent, as debug JVM, and then the test. */
    private void debugging(Class<?> service, Debugging test) throws Exception {
        debugging(service, "", test);
    }

    /** The same, with more settings of the agent. */
    private void debugging(Class<?> service, String settings, Debugging test) throws Exception {
        // production is there first; the debug JVM needs the sidecar's control port, the sidecar the debug JVM's
        try (Child production = OwnJvm.start(folder, service, "production")) {
            int debugPort = RealServer.freePort();
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
