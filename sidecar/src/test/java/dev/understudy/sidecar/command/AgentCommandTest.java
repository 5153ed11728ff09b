package dev.understudy.sidecar.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
final class AgentCommandTest {
    private static final String REPORT = """
            {"name": "d-1", "orders": {"revision": 1, "standing": {"settings": "budget=0.1"},
              "problems": ["settings: cache: can't be changed while the JVM runs (expected: one of budget)"]},
             "settings": {"budget": {"value": "0.1", "origin": "order", "changeable": true},
                          "cache": {"value": "", "origin": "default", "changeable": false}}}
            """;

    @TempDir
    Path folder;

    @Test
    void set_isOrderedOfAllAgents_whichSayWhatTheyCannotDo() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            report(sidecar);
            Ran ran = run(sidecar, "set", "budget=0.1", "cache=/tmp/x=y");
            assertThat(ran.code()).as(ran.toString()).isEqualTo(1);
            assertThat(ran.out()).isEqualTo("""
                    revision 1; d-1 follows it: settings budget=0.1
                      problem: settings: cache: can't be changed while the JVM runs (expected: one of budget)
                    """);
            assertThat(get(sidecar, "/v1/orders")).contains("\"budget\":\"0.1\"", "\"cache\":\"/tmp/x=y\"");

            assertThat(run(sidecar, "set", "budget").err()).contains("budget (expected: NAME=VALUE)");
            assertThat(run(sidecar, "set", "Budget=1").code()).isEqualTo(2);
            run(sidecar, "reset", "cache");
            assertThat(get(sidecar, "/v1/orders")).contains("{\"settings\":{\"budget\":\"0.1\"}}");
            run(sidecar, "reset");
            assertThat(get(sidecar, "/v1/orders")).contains("\"orders\":{}");
        }
    }

    @Test
    void show_tellsValuesAndWhereTheyComeFrom() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "show"))
                    .isEqualTo(new Ran(1, "no agent is there: none has reported for ten seconds\n", ""));
            report(sidecar);
            assertThat(run(sidecar, "show").out()).isEqualTo("""
                    d-1:
                      budget     0.1                    order        can be changed
                      cache      -                      default     \s
                    """);
            assertThat(run(sidecar, "show", "--json").out()).contains("\"d-1\" : {", "\"origin\" : \"order\"");
        }
    }

    @Test
    void theWantedWindow_isToldToAgentsFromThenOn() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "set", "window.wanted=10m").err()).isEmpty();
            HttpRequest window = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/window"))
                    .build();
            try (var lines = HttpClient.newHttpClient()
                    .send(window, BodyHandlers.ofLines())
                    .body()) {
                assertThat(lines.filter(line -> line.startsWith("data: ")).findFirst())
                        .hasValueSatisfying(event -> assertThat(event).contains("\"wantedMillis\":600000"));
            }
            assertThat(orders(sidecar)).contains("\"wantedMillis\":600000");
            assertThat(run(sidecar, "set", "window.wanted=0s").err()).isEmpty();
            assertThat(orders(sidecar)).doesNotContain("wantedMillis");
        }
    }

    private static String orders(RunningSidecar sidecar) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/orders"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static void report(RunningSidecar sidecar) throws Exception {
        HttpRequest report = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/agent"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(REPORT))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(report, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static String get(RunningSidecar sidecar, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + path)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static Ran run(RunningSidecar sidecar, String command, String... more) {
        String[] all = new String[more.length + 4];
        all[0] = "agent";
        all[1] = command;
        all[2] = "--url";
        all[3] = sidecar.controlUrl();
        System.arraycopy(more, 0, all, 4, more.length);
        return Ran.run(all);
    }
}
