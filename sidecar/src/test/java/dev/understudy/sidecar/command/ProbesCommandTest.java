package dev.understudy.sidecar.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

final class ProbesCommandTest {
    private static final String REPORT = """
            {"name": "%s", "classes": 3, "probes": 17, "state": "armed", "budget": 0.1, "budgetMax": 0.2, "spent": \
            0.05, "nu": 12.3, "called": 11,
             "why": "the window is open", "orders": {"revision": 1, "standing": {"probes": "2 armed, 0 off", \
            "deepen": "branches of 2 classes; 1 ordered", "parts": "9 of 17 methods, as one of 2 agents"}, \
            "problems": %s},
             "secondLevel": ["com.shop.Cart", "com.shop.Tax"], "secondLevelBy": {"com.shop.Cart": "operator", \
            "com.shop.Tax": "search"},
             "measure": {"what": ["cpu", "alloc"], "counters": "software: pageFaults (a reason)", "oneIn": 7, \
            "costNanos": 910},
             "tooLarge": 22, "tooLargeMethods": ["com.shop.Rules#all", "com.shop.Parser#parse(String)"],
             "quota": {"perMethod": "3/10s", "taken": 5},
             "methods": [
               {"method": "com.shop.Cart#total", "ordered": "armed", "hits": 40, "hitsPerSecond": 12.5, "rate": 0.5, \
            "samples": 9,
                "costNanos": 410.2, "meanMicros": 17.1, "maxMicros": 80.5, "cpuMicros": 9.26, "allocatedBytes": 2048.4,
                "counters": {"pageFaults": 3.2}},
               {"method": "com.shop.Tax#of", "ordered": "off", "counted": false, "hitsPerSecond": 0, "rate": 0,
                "samples": 0, "costNanos": 0, "meanMicros": 0, "maxMicros": 0},
               {"method": "com.shop.Money#add", "ordered": "armed", "counted": false, "hitsPerSecond": 0, "rate": 0,
                "samples": 0, "costNanos": 400, "meanMicros": 0, "maxMicros": 0},
               {"method": "com.shop.Stock#get", "hits": 9000, "hitsPerSecond": 4000.25, "rate": 0.00001, "samples": \
            3, "costNanos": 400,
                "meanMicros": 0.06, "maxMicros": 0.7}]}
            """;

    @TempDir
    Path folder;

    @Test
    void arm_saysHowFarEachAgentIs() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            report(sidecar, "d-1", "[]");
            Ran ran = run(sidecar, "arm", "com.shop.*Cart#total", "@*.GET");
            assertThat(ran.code()).as(ran.toString()).isZero();
            assertThat(ran.out())
                    .isEqualTo("revision 1; d-1 follows it: probes 2 armed, 0 off; deepen "
                            + "branches of 2 classes; 1 ordered; parts 9 of 17 methods, as one of 2 agents\n");

            report(sidecar, "d-1", "[\"probes: a rule isn't understood\"]");
            Ran problem = run(sidecar, "arm", "@*.GET");
            assertThat(problem.code()).isEqualTo(1);
            assertThat(problem.out()).contains("  problem: probes: a rule isn't understood\n");
        }
    }

    @Test
    void armingByReachability_isAPattern_thatIsResetByItsName() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "arm", "--reachable-from", "com.shop.CartServlet#doGet", "com.shop.Money")
                            .code())
                    .isEqualTo(1);
            assertThat(run(sidecar, "reset", "com.shop.Other").err())
                    .contains("(expected: one of com.shop.Money, from:com.shop.CartServlet#doGet)");
            assertThat(run(sidecar, "reset", "from:com.shop.CartServlet#doGet").out())
                    .startsWith("revision 2; ");
            Ran nothing = run(sidecar, "arm");
            assertThat(nothing.code()).isEqualTo(2);
            assertThat(nothing.err()).contains("nothing is named (expected: PATTERN, or --reachable-from=PATTERN)");
        }
    }

    @Test
    void deepen_isTakenBackByShallow_orByReset() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "deepen", "com.shop.Cart", "--reachable-from", "*Servlet#doGet")
                            .out())
                    .startsWith("revision 1; ");
            assertThat(orders(sidecar)).contains("{\"patterns\":[\"com.shop.Cart\",\"from:*Servlet#doGet\"]}");
            assertThat(run(sidecar, "shallow", "com.shop.Cart").code()).isEqualTo(1);
            assertThat(orders(sidecar)).contains("{\"deepen\":{\"patterns\":[\"from:*Servlet#doGet\"]}}");
            assertThat(run(sidecar, "shallow", "com.shop.Cart").err())
                    .contains("shallow: com.shop.Cart isn't ordered (expected: one of from:*Servlet#doGet)");
            assertThat(run(sidecar, "reset", "from:*Servlet#doGet").code()).isEqualTo(1);
            assertThat(orders(sidecar)).contains("\"orders\":{}");
            assertThat(run(sidecar, "deepen").err()).contains("nothing is named");
        }
    }

    private static String orders(RunningSidecar sidecar) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/orders"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @Test
    void orders_thatNoAgentHasFollowedYet_are1_andWrongOnes2() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "disarm", "com.shop.Money"))
                    .isEqualTo(new Ran(1, "revision 1; no agent is there to follow it\n", ""));
            assertThat(run(sidecar, "reset", "com.shop.Other").err())
                    .contains("isn't ordered (expected: one of com.shop.Money)");
            assertThat(run(sidecar, "arm", "com.shop.Cart total").code()).isEqualTo(2);
            assertThat(run(sidecar, "reset").out()).startsWith("revision 2; ");
            Ran list = run(sidecar, "list");
            assertThat(list.code()).isEqualTo(1);
            assertThat(list.out()).isEqualTo("no agent is there: none has reported for ten seconds\n");
            assertThat(run(sidecar, "list", "--json").out()).doesNotContain("no agent");
        }
    }

    @Test
    void list_tellsRatesAndCosts_whatIsClosed_andHowManyAreNotShown() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            report(sidecar, "d-1", "[]");

            assertThat(run(sidecar, "list").out())
                    .contains("d-1: 3 classes, 17 probes, armed; budget 0.100 of 0.200 cores, "
                            + "spent 0.050, at a price of 12; the window is open")
                    .contains("\nordered: 2 armed, 0 off\nsecond level: branches of 2 classes; "
                            + "1 ordered: com.shop.Cart (operator), com.shop.Tax (search)\nmeasured")
                    .contains("measured beside time: 1 in 7 samples, at 910 ns; counters "
                            + "software: pageFaults (a reason); quota 3/10s\n")
                    .contains("\nnot woven, since they would become too large for the JIT or the class file: "
                            + "com.shop.Rules#all, com.shop.Parser#parse(String) and 20 more\n")
                    .contains("""
                               calls/s  sampled cost us/s   mean us     max us    cpu us   alloc B  state  method
                                4000.3   <0.01%       0.0       0.1        0.7         -         -  -      \
                            com.shop.Stock#get
                                  12.5   50.00%       2.6      17.1       80.5       9.3      2048  armed  \
                            com.shop.Cart#total pageFaults=3
                                   0.0    0.00%       0.0         -          -         -         -  off    \
                            com.shop.Tax#of
                                   0.0    0.00%       0.0         -          -         -         -  closed \
                            com.shop.Money#add
                            closed: calls aren't seen, since counting them costs too much
                            4 told of, of 11 that were called and 17 that are woven: those with most calls, cost, \
                            time, or the longest call
                            """);
            assertThat(run(sidecar, "list", "Money").out()).doesNotContain("Cart#total");
            assertThat(run(sidecar, "list", "Till").out())
                    .contains("\nnone of the 4 that are told of has Till in its name\n4 told of, of 11 ");
            for (String key : List.of("cost", "time", "max")) {
                assertThat(run(sidecar, "list", "--sort", key).out())
                        .as(key)
                        .containsPattern("(?s)method\n[^\n]*#total.*#get");
            }
            assertThat(run(sidecar, "list", "--json").out()).contains("\"name\" : \"d-1\"");
        }
    }

    @Test
    void list_ofAgentsThatShareMethods_saysWhichPartEachLooksAt() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.sharing(folder)) {
            report(sidecar, "d-1", "[]");
            report(sidecar, "d-2", "[]");
            await().until(() -> run(sidecar, "list").out().contains("\nlooks at "));

            assertThat(run(sidecar, "list").out())
                    .contains("com.shop.Tax (search)\nlooks at 9 of 17 methods, as one of 2 agents\n")
                    .contains("costs too much, or since another agent looks at the class\n")
                    .contains("the longest call\n\nd-2: 3 classes");
        }
    }

    private static void report(RunningSidecar sidecar, String name, String problems) throws Exception {
        HttpRequest report = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/agent"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(REPORT.formatted(name, problems)))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(report, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static Ran run(RunningSidecar sidecar, String command, String... more) {
        String[] all = new String[more.length + 4];
        all[0] = "probes";
        all[1] = command;
        all[2] = "--url";
        all[3] = sidecar.controlUrl();
        System.arraycopy(more, 0, all, 4, more.length);
        return Ran.run(all);
    }
}
