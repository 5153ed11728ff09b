package dev.understudy.it.suspect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One production, two debug JVMs of the same build, and {@code probes: shared}. */
@Tag("any-jdk")
class SharedProbesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Set<String> CLASSES = Set.of("Ledger", "Ledger$Fees", "Ledger$Accounts", "Ledger$Receipts");

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void eachAgentLooksAtItsClassesAlone_andTogetherTheyLookAtAll() throws Exception {
        try (Child production = OwnJvm.start(folder, Ledger.class, "production")) {
            int one = FreePorts.next();
            int two = FreePorts.next();
            String listener = "production: 127.0.0.1:%d, debug: [one=127.0.0.1:%d, two=127.0.0.1:%d], protocol: http"
                    .formatted(OwnJvm.port(production), one, two);
            try (TeeStage tee = TeeStage.open(folder, listener, "probes=shared");
                    Child first = debug("one", one, tee);
                    Child second = debug("two", two, tee)) {
                OwnJvm.port(first);
                OwnJvm.port(second);
                await("parts").atMost(PATIENCE).untilAsserted(() -> {
                    book(tee.port(), 20);
                    JsonNode agents = tee.read("/v1/agent");
                    Map<String, Set<String>> owners = owners(agents);
                    assertThat(owners.keySet()).as(agents.toPrettyString()).isEqualTo(CLASSES);
                    assertThat(owners.values()).allMatch(names -> names.size() == 1);
                    assertThat(owners.values()).contains(Set.of("one"), Set.of("two"));
                });

                JsonNode dealtOut = tee.read("/v1/agent");
                Map<String, Set<String>> owners = owners(dealtOut);
                JsonNode[] before = {dealtOut};
                await("calls").atMost(PATIENCE).untilAsserted(() -> {
                    book(tee.port(), 20);
                    JsonNode after = tee.read("/v1/agent");
                    Map<String, Set<String>> counting = counting(before[0], after);
                    boolean late = CLASSES.stream()
                            .anyMatch(type -> !owners.getOrDefault(type, Set.of())
                                    .containsAll(counting.getOrDefault(type, Set.of())));
                    if (late) {
                        before[0] = after; // a report may tell late what was counted before classes were dealt out
                    }
                    assertThat(counting).isEqualTo(owners);
                });
            }
        }
    }

    private Child debug(String name, int port, TeeStage tee) throws IOException {
        return OwnJvm.start(
                folder,
                Ledger.class,
                name,
                OwnJvm.AGENT + ",name=" + name + ",sidecar=" + tee.control(),
                "-Dport=" + port);
    }

    private void book(int port, int times) throws IOException, InterruptedException {
        for (int i = 1; i <= times; i++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/book/" + i + "/7"))
                    .timeout(PATIENCE)
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /** Which agents look at the methods of each class. */
    private static Map<String, Set<String>> owners(JsonNode agents) {
        Map<String, Set<String>> owners = new HashMap<>();
        for (JsonNode method : agents.at("/shared/methods")) {
            Set<String> names = owners.computeIfAbsent(simpleClass(method), any -> new HashSet<>());
            method.path("agents").forEach(agent -> names.add(agent.asText()));
        }
        return owners;
    }

    /** Which agents have counted calls of each class meanwhile. */
    private static Map<String, Set<String>> counting(JsonNode before, JsonNode after) {
        Map<String, Set<String>> counting = new HashMap<>();
        for (String type : CLASSES) {
            Set<String> names = Set.of("one", "two").stream()
                    .filter(agent -> hits(after, agent, type) > hits(before, agent, type))
                    .collect(Collectors.toSet());
            counting.put(type, names);
        }
        return counting;
    }

    private static long hits(JsonNode agents, String name, String type) {
        long hits = 0;
        for (JsonNode agent : agents.path("agents")) {
            for (JsonNode method : agent.path("methods")) {
                boolean its = agent.path("name").asText().equals(name)
                        && simpleClass(method).equals(type);
                hits += its ? method.path("hits").asLong() : 0;
            }
        }
        return hits;
    }

    private static String simpleClass(JsonNode method) {
        return method.path("method").asText().replaceAll("#.*", "").replaceAll(".*\\.", "");
    }
}
