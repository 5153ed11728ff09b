package dev.understudy.it.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.ScriptedAgent;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A scripted agent that has nothing but the tools, over both transports: it finds what a debug JVM does wrong, and
 * verifies the repair.
 */
@Tag("any-jdk")
class McpIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TARIFF = Tariff.class.getName();
    private static final String DRAWER = Drawer.class.getName();
    private static final String SOURCES = "it/src/test/java";

    @TempDir
    static Path folder;

    private final HttpClient traffic = HttpClient.newHttpClient();
    private int sent;

    @Test
    void anAgent_findsTheDefect_repairsIt_andSeesThatRepliesAgree() throws Exception {
        Path right = Files.createDirectories(folder.resolve("right"));
        Path own = Path.of(
                Tariff.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String file = TARIFF.replace('.', '/') + ".class";
        Files.createDirectories(right.resolve(file).getParent());
        Files.copy(own.resolve(file), right.resolve(file));
        int port = FreePorts.next();
        try (Child production = OwnJvm.start(folder, Till.class, "production");
                TeeStage tee = TeeStage.open(folder, "http", OwnJvm.port(production), port);
                Child debug = OwnJvm.start(
                        folder,
                        Till.class,
                        "debug",
                        OwnJvm.AGENT + ",name=till,sidecar=" + tee.control(),
                        "-Dport=" + port)) {
            OwnJvm.awaitArmed(debug, tee);
            sell(tee, "tea", 2);
            Path wrong = OtherTariff.compile(folder);
            Understudy.run(folder, 0, "patch", "apply", wrong.toString(), "--url", tee.control());
            try (ScriptedAgent agent = ScriptedAgent.start(tee.control(), folder, SOURCES);
                    ScriptedAgent overHttp = ScriptedAgent.startOverHttp(tee.control(), folder, SOURCES, folder)) {
                for (int n = 0; n < 10; n++) {
                    sell(tee, "cake", 12);
                    sell(tee, "cake", 2);
                }
                long failing = find(agent);
                assertThat(find(overHttp)).isEqualTo(failing);
                lookInside(agent, overHttp, tee);
                compare(agent, tee, failing);
                repair(agent, tee, failing);
                apply(overHttp, folder.relativize(wrong).toString());
                sell(tee, "cake", 12);
                assertThat(replayed(overHttp, failing)).isEqualTo("DIFFERENT");
                repair(overHttp, tee, failing);
            }
        }
    }

    /** The newest exchange that differs, which is looked at. */
    private static long find(ScriptedAgent agent) throws Exception {
        JsonNode status = agent.call("status", Map.of());
        assertThat(status.path("next").asText()).startsWith("divergences: 10");
        await("the groups, which are made anew every two seconds")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(agent.call("divergences", Map.of())
                                .at("/groups/0/places")
                                .toString())
                        .contains("body.cents"));
        JsonNode rows = agent.call("exchanges", Map.of("kind", "DIFFERENT", "limit", 1));
        long failing = rows.at("/exchanges/0/exchange").asLong();
        JsonNode one = agent.call("exchange", Map.of("exchange", failing));
        assertThat(one.at("/differences/0/production").asText()).isEqualTo(String.valueOf(Tariff.price("cake", 12)));
        assertThat(agent.call("source", Map.of("method", TARIFF + "#rebated"))
                        .path("lines")
                        .toString())
                .contains("cents - cents / 10");
        JsonNode figures = agent.read("measurements");
        assertThat(figures.at("/listeners/0/debugs/0/latencyMillis/production/p50")
                        .asDouble())
                .as(figures.toString())
                .isPositive();
        assertThat(figures.at("/agents/0/name").asText()).as(figures.toString()).isEqualTo("till");
        assertThat(figures.at("/windows/0").has("lagMillis")).isTrue();
        return failing;
    }

    /** Points that are hit, and sampled calls. */
    private void lookInside(ScriptedAgent agent, ScriptedAgent overHttp, TeeStage tee) throws Exception {
        String log = id(agent, "add_log_point", Map.of("method", TARIFF + "#rebated", "message", "{cents} {return}"));
        String snapshot = id(overHttp, "add_snapshot", Map.of("method", DRAWER + "#take", "at", "entry"));
        String watch = id(overHttp, "watch_field", Map.of("field", DRAWER + ".cents"));
        await("hits").atMost(PATIENCE).untilAsserted(() -> {
            sell(tee, "cake", 12);
            assertThat(hits(agent, log).at("/0/text").asText()).isNotEmpty();
            assertThat(hits(agent, snapshot).at("/0/values").toString()).contains("more", "Drawer");
            assertThat(hits(overHttp, watch).at("/0/values").properties()).isNotEmpty();
        });
        assertThat(hits(overHttp, snapshot).toString() + hits(agent, watch))
                .contains("cents", "password", "Till.sell")
                .doesNotContain("hunter2");
        for (String point : new String[] {log, snapshot, watch}) {
            agent.call("remove_point", Map.of("id", point));
        }
        await("calls, which agents send from the first look on")
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    sell(tee, "cake", 12);
                    assertThat(calls(agent)).contains("Tariff.");
                });
    }

    private void compare(ScriptedAgent agent, TeeStage tee, long failing) throws Exception {
        assertThat(replayed(agent, failing)).isEqualTo("DIFFERENT");
        sell(tee, "cake", 2); // a good one that is kept
        JsonNode compared = agent.call("compare_executions", Map.of("exchange", failing, "limit", 1));
        assertThat(compared.path("state").asText()).as(compared.toString()).isEqualTo("DONE");
        assertThat(compared.path("calls").asInt()).as(compared.toString()).isPositive();
        int partings = compared.path("partings").size();
        for (JsonNode page = compared;
                page.has("cursor");
                partings += page.path("partings").size()) {
            page = agent.call(
                    "compare_executions",
                    Map.of(
                            "number",
                            compared.path("number").asInt(),
                            "limit",
                            1,
                            "cursor",
                            page.path("cursor").asInt()));
        }
        assertThat(partings).isEqualTo(compared.path("partingCount").asInt());
    }

    private void repair(ScriptedAgent agent, TeeStage tee, long failing) throws Exception {
        apply(agent, "right");
        sell(tee, "cake", 12);
        sell(tee, "cake", 2);
        assertThat(replayed(agent, failing))
                .as("with the patch, but for the time of day")
                .isIn("SAME", "EQUIVALENT");
        JsonNode verdict = agent.call("patch_verdict", Map.of("exchanges", 2));
        assertThat(verdict.path("verdict").asText()).as(verdict.toString()).startsWith("agrees");
    }

    private static void apply(ScriptedAgent agent, String classes) throws Exception {
        JsonNode applied = agent.call("apply_patch", Map.of("classes", classes));
        assertThat(applied.at("/agents/0/follows").asBoolean())
                .as(applied.toString())
                .isTrue();
    }

    private static String replayed(ScriptedAgent agent, long exchange) throws Exception {
        return agent.call("replay_exchange", Map.of("exchange", exchange))
                .path("kind")
                .asText();
    }

    private static String id(ScriptedAgent agent, String tool, Map<String, Object> arguments) throws Exception {
        return agent.call(tool, arguments).path("id").asText();
    }

    private static JsonNode hits(ScriptedAgent agent, String point) throws Exception {
        return agent.call("hits", Map.of("point", point)).path("hits");
    }

    /** Of the newest exchanges that differ. */
    private static String calls(ScriptedAgent agent) throws Exception {
        StringBuilder calls = new StringBuilder();
        for (JsonNode row :
                agent.call("exchanges", Map.of("kind", "DIFFERENT", "limit", 5)).path("exchanges")) {
            calls.append(agent.call(
                            "exchange", Map.of("exchange", row.path("exchange").asLong()))
                    .path("calls"));
        }
        return calls.toString();
    }

    private void sell(TeeStage tee, String article, int pieces) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tee.port() + "/sale/" + article + "/" + pieces))
                .timeout(PATIENCE)
                .build();
        assertThat(traffic.send(request, BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
        tee.awaitExchanges(++sent);
    }
}
