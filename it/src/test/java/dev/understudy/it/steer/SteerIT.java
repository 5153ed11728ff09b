package dev.understudy.it.steer;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One production, one debug JVM of the same build, and the README's commands that steer what the agent does in it while
 * it runs.
 */
@Tag("any-jdk")
@TestInstance(Lifecycle.PER_CLASS)
class SteerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String HERE = Till.class.getPackageName() + ".";
    private static final String TARIFF = Tariff.class.getName();

    @TempDir
    static Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Child production;
    private TeeStage tee;
    private Child debug;
    private int sent;

    @BeforeAll
    void debug() throws Exception {
        production = OwnJvm.start(folder, Till.class, "production");
        int debugPort = FreePorts.next();
        tee = TeeStage.open(folder, "http", OwnJvm.port(production), debugPort);
        debug = OwnJvm.start(
                folder,
                Till.class,
                "debug",
                OwnJvm.AGENT + ",name=till,sidecar=" + tee.control(),
                "-Dport=" + debugPort);
        OwnJvm.awaitArmed(debug, tee);
        sell("tea", 1);
        get("/drawer");
    }

    @AfterAll
    void end() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {debug, tee, production}) {
            if (each != null) {
                each.close();
            }
        }
    }

    @Test
    void probes_areArmedByAnnotation_orReachability_andSwitchedOff() throws Exception {
        assertThat(steer(0, "probes", "arm", "@" + Listed.class.getName()))
                .contains("till follows it: ", "probes 3 armed, 0 off");
        assertOrdered(Set.of("Tariff#price", "Drawer#take", "Drawer#counted"), Set.of());
        assertThat(steer(0, "probes", "reset")).contains("probes 0 armed, 0 off");

        assertThat(steer(0, "probes", "arm", "--reachable-from", TARIFF + "#price"))
                .contains("till follows it: ");
        assertOrdered(Set.of("Tariff#price", "Tariff#each", "Tariff#rebated"), Set.of());
        assertThat(steer(0, "probes", "disarm", TARIFF + "#each")).contains("probes 2 armed, 1 off");
        assertOrdered(Set.of("Tariff#price", "Tariff#rebated"), Set.of("Tariff#each"));
        steer(0, "probes", "reset");
    }

    @Test
    void aLogPoint_tellsItsMessage_withTheTraceOfItsExchange() throws Exception {
        String point = added(steer(
                0,
                "log",
                "add",
                TARIFF + "#price",
                "--message",
                "sold /sale/{article}/{pieces} for {return}",
                "--when",
                "pieces > 2"));
        String[] sold = {"/sale/tea/3 for " + Tariff.price("tea", 3), "/sale/cocoa/4 for " + Tariff.price("cocoa", 4)};
        awaitTold(
                point,
                () -> {
                    sell("tea", 2);
                    sell("tea", 3);
                    sell("cocoa", 4);
                },
                sold);

        String told = steer(0, "log", "show", point);
        assertThat(told).contains(sold).doesNotContain("/sale/tea/2");
        Map<String, String> requests = new HashMap<>();
        tee.read("/v1/verdicts?limit=1000")
                .path("verdicts")
                .forEach(verdict -> requests.put(
                        verdict.path("trace").asText(), verdict.path("request").asText()));
        assertThat(told.lines()).allSatisfy(line -> {
            Matcher hit = Pattern.compile(" till trace (\\p{XDigit}{32}) span \\p{XDigit}{16}  sold (\\S+) for")
                    .matcher(line);
            assertThat(hit.find()).as(line).isTrue();
            assertThat(requests).containsEntry(hit.group(1), "GET " + hit.group(2));
        });
        assertThat(steer(0, "log", "remove", point)).contains("till follows it: ");
    }

    @Test
    void aWatchedField_tellsItsWrites_andASnapshotItsValues() throws Exception {
        String watch = added(steer(0, "watch", "add", HERE + "Drawer.cents"));
        awaitTold(watch, () -> sell("tea", 5), "Drawer.take");
        String told = steer(0, "watch", "show", watch);
        List<Integer> before = numbers(told, "old");
        List<Integer> after = numbers(told, "value");
        assertThat(after)
                .as(told)
                .isNotEmpty()
                .isEqualTo(before.stream()
                        .map(cents -> cents + Tariff.price("tea", 5))
                        .toList());
        assertThat(told).contains("at " + HERE + "Drawer.take(Drawer.java:", "at " + HERE + "Till.sell(Till.java:");

        String snapshot = added(steer(0, "snapshot", "add", TARIFF + "#rebated", "--at", "entry"));
        awaitTold(snapshot, () -> sell("tea", 5), "Tariff.rebated");
        assertThat(steer(0, "snapshot", "show", snapshot))
                .contains("    cents = " + Tariff.price("tea", 5), "    pieces = 5");
        assertThat(steer(0, "snapshot", "remove", snapshot)).contains("till follows it: ");
    }

    @Test
    void aPatch_isJudgedByProductionsReplies_andTakenBackWithoutARestart() throws Exception {
        sell("cake", 10);
        tee.awaitExchanges(sent);
        assertThat(report(0, "different,nothing")).contains("same answers on " + sent + " of " + sent);

        assertThat(steer(0, "patch", "apply", OtherTariff.compile(folder).toString()))
                .contains(": 1 class (" + TARIFF + ")", "till follows it: ", ": 1 classes changed, 0 not loaded yet");
        int before = sent;
        sell("cake", 10);
        sell("cake", 12);
        sell("cake", 2);
        tee.awaitExchanges(sent);
        assertThat(report(1, "different"))
                .contains("differ: GET /sale/", "body.cents", ", 2 of 3 differ; before, 0 of " + before + " differ");

        assertThat(steer(0, "patch", "take-back")).contains("till follows it: ");
        sell("cake", 10);
        sell("cake", 12);
        tee.awaitExchanges(sent);
        assertThat(report(0, "different>2"))
                .contains("with its own classes again, 0 of 2 differ; before, 2 of " + (sent - 2) + " differ");
        assertThat(debug.process().isAlive()).isTrue();
    }

    private void assertOrdered(Set<String> armed, Set<String> off) {
        await("orders").atMost(PATIENCE).untilAsserted(() -> {
            String listed = steer(0, "probes", "list");
            assertThat(ordered("armed", listed)).as(listed).isEqualTo(armed);
            assertThat(ordered("off", listed)).as(listed).isEqualTo(off);
        });
    }

    private static Set<String> ordered(String stance, String listed) {
        return Pattern.compile(" " + stance + " +" + Pattern.quote(HERE) + "(\\S+)")
                .matcher(listed)
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
    }

    private static List<Integer> numbers(String told, String name) {
        return Pattern.compile("^    " + name + " = (\\d+)$", Pattern.MULTILINE)
                .matcher(told)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
    }

    /** The name of what was added, once the agent has followed. */
    private static String added(String said) {
        assertThat(said).contains("till follows it: ");
        return said.substring(0, said.indexOf(' '));
    }

    /** Sells until the point has told all of that; its place and budget may need some time. */
    private void awaitTold(String point, Sale sale, String... texts) {
        await("hits of " + point).atMost(PATIENCE).untilAsserted(() -> {
            sale.ring();
            tee.awaitExchanges(sent);
            assertThat(tee.read("/v1/hits?point=" + point).toString()).contains(texts);
        });
    }

    private String report(int code, String failOn) throws Exception {
        return steer(code, "report", "--fail-on", failOn).replaceAll("(\\d) (\\d)", "$1$2"); // 1 000
    }

    private String steer(int code, String... command) throws Exception {
        return Understudy.run(
                folder,
                code,
                Stream.of(command, new String[] {"--url", tee.control()})
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
    }

    private void sell(String article, int pieces) throws IOException, InterruptedException {
        get("/sale/" + article + "/" + pieces);
    }

    private void get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tee.port() + path))
                .timeout(PATIENCE)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        sent++;
    }

    private interface Sale {
        void ring() throws IOException, InterruptedException;
    }
}
