package dev.understudy.it.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.example.demo.load.Load;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.ScriptedAgent;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("any-jdk")
class DemoIT {
    private static final Pattern FOLDER = Pattern.compile("logs and settings +(\\S+)");

    private static final Pattern CONSOLE = Pattern.compile("understudy console --url (\\S+)");

    private static final Pattern FRONT = Pattern.compile("through the sidecar +http://127.0.0.1:(\\d+)/products");

    private static final String DISCOUNTS = "dev.understudy.example.orders.ordering.Discounts";

    private static final String SOURCES = "examples/orders/src/main/java";

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    /** Where three other classes' systems share the two processors with all of the demo's. */
    private static final Duration OF_THE_WHOLE = Duration.ofMinutes(15);

    @TempDir
    Path folder;

    @Test
    void demo_holdsItsInvariants_isRepairedByAProgram_runsUntilItIsInterrupted_andLeavesNothingBehind()
            throws Exception {
        Path json = folder.resolve("report.json");
        try (Child demo = start("--requests", "2500", "--keep", "--json", json.toString())) {
            await().atMost(OF_THE_WHOLE)
                    .untilAsserted(() -> assertThat(demo.output().contains("Ctrl-C stops")
                                    || !demo.process().isAlive())
                            .as(demo.output())
                            .isTrue());
            assertHeld(demo, json);
            Path stage = Path.of(said(demo, FOLDER));
            List<ProcessHandle> parts = demo.process().descendants().toList();
            String console = said(demo, CONSOLE);
            assertThat(source(URI.create(console))).contains("class OrdersApplication");
            await("the upstream calls of an exchange")
                    .atMost(PATIENCE)
                    .until(() -> hasUpstreamCalls(URI.create(console)));

            try (ScriptedAgent agent = ScriptedAgent.start(console, folder, SOURCES);
                    ScriptedAgent overHttp = ScriptedAgent.startOverHttp(console, folder, SOURCES, folder)) {
                int front = Integer.parseInt(said(demo, FRONT));
                find(agent, front);
                find(overHttp, front);
                runAgain(agent, URI.create(console), front);
                repair(overHttp, front);
            }
            interrupt(demo);

            assertThat(demo.exitCode(PATIENCE)).isEqualTo(130);
            assertThat(parts).hasSizeGreaterThan(5).noneMatch(ProcessHandle::isAlive);
            assertThat(stage).doesNotExist();
        }
    }

    private static void assertHeld(Child demo, Path json) throws IOException {
        assertThat(demo.output())
                .contains("All invariants held, and the defect was found.")
                .contains("10 pieces of 6137 cents each, less the discount: 58300")
                .as("a build of its own")
                .doesNotContain("mvn ");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("checks").size()).isGreaterThan(10);
        for (JsonNode check : report.path("checks")) {
            assertThat(check.path("held").asBoolean())
                    .as(check + "\n" + demo.output())
                    .isTrue();
        }
    }

    /** As a program does that knows nothing but what the tools say. */
    private static void find(ScriptedAgent agent, int front) throws Exception {
        // on a busy machine fewer failing orders than are needed may have been observed
        await("suspects").pollInterval(Duration.ofSeconds(2)).atMost(PATIENCE).untilAsserted(() -> {
            assertThat(new Load(front, 1, 1, 1, 0).complaint().failures()).isEmpty();
            assertThat(agent.call("suspects", Map.of()).toString()).contains(DISCOUNTS + "#");
        });
        assertThat(agent.call("source", Map.of("method", DISCOUNTS + "#lineTotal"))
                        .path("lines")
                        .toString())
                .contains("discounted(unitCents, percent) * quantity");
    }

    /** The order asks PostgreSQL, Redis and another service, whose replies it has had already. */
    private static void runAgain(ScriptedAgent agent, URI control, int front) throws Exception {
        await("an order that fails as before").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(new Load(front, 1, 1, 1, 0).complaint().failures()).isEmpty();
            JsonNode rows = agent.call("exchanges", Map.of("failing", true, "limit", 1));
            long exchange = rows.at("/exchanges/0/exchange").asLong(-1);
            JsonNode again = agent.call("replay_exchange", Map.of("exchange", exchange));
            assertThat(again.path("kind").asText()).as(again.toString()).isIn("SAME", "EQUIVALENT");
        });
        await("replies that are given once more")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(read(control, "/v1/upstreams?outcome=REPEATED"))
                        .contains("UPDATE products"));
    }

    private void repair(ScriptedAgent agent, int front) throws Exception {
        FairDiscounts.compile(folder);

        JsonNode applied = agent.call("apply_patch", Map.of("classes", "fair"));
        assertThat(applied.at("/agents/0/follows").asBoolean())
                .as(applied.toString())
                .isTrue();
        Shopper shopper = new Shopper("http://127.0.0.1:" + front);
        shopper.browse(40);
        await("comparisons").atMost(PATIENCE).untilAsserted(() -> {
            JsonNode verdict = agent.call("patch_verdict", Map.of("exchanges", 40));
            assertThat(verdict.path("verdict").asText()).as(verdict.toString()).startsWith("agrees");
        });

        // production refuses it; the copy goes on to place the order, which nobody has recorded
        assertThat(new Load(front, 1, 1, 1, 0).complaint().failures()).isEmpty();
        await("the repaired order").atMost(PATIENCE).untilAsserted(() -> {
            JsonNode rows = agent.call("exchanges", Map.of("kind", "DIFFERENT", "limit", 1));
            long exchange = rows.at("/exchanges/0/exchange").asLong(-1);
            assertThat(agent.call("exchange", Map.of("exchange", exchange)).toString())
                    .contains("INSERT INTO orders");
        });
    }

    private static String said(Child demo, Pattern what) {
        Matcher found = what.matcher(demo.output());
        assertThat(found.find()).as(demo.output()).isTrue();
        return found.group(1);
    }

    @Test
    void unknownOption_endsWithCodeTwoAndTheUsage() throws Exception {
        try (Child demo = Child.start(folder.resolve("demo.log"), List.of("./understudy", "demo", "--requsts", "1"))) {
            assertThat(demo.exitCode(PATIENCE)).isEqualTo(2);
            assertThat(demo.output()).contains("--requests");
        }
    }

    private Child start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("./understudy", "demo"));
        command.addAll(List.of(options));
        return Child.start(folder.resolve("demo.log"), command);
    }

    /** What the console shows of the service's source. */
    private static String source(URI control) throws Exception {
        return read(control, "/v1/source?method=dev.understudy.example.orders.OrdersApplication");
    }

    /** Whether the console can show, of one of the newest exchanges, what the debug JVM was replayed for it. */
    private static boolean hasUpstreamCalls(URI control) throws Exception {
        ObjectMapper json = new ObjectMapper();
        for (JsonNode exchange :
                json.readTree(read(control, "/v1/exchanges?limit=50")).path("exchanges")) {
            String calls = read(control, "/v1/upstreams?exchange=" + exchange.path("exchange"));
            if (json.readTree(calls).at("/calls/0/outcome").asText().equals("REPLAYED")) {
                return true;
            }
        }
        return false;
    }

    private static String read(URI control, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(control.resolve(path))
                .header("Authorization", "Bearer " + TokenFile.read(control, Role.ADMIN))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static void interrupt(Child child) throws Exception {
        new ProcessBuilder("kill", "-INT", String.valueOf(child.process().pid()))
                .start()
                .waitFor();
    }
}
