package dev.understudy.sidecar.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class PointCommandTest {
    private static final String HITS = """
            {"name": "d-1", "dropped": 3, "points": [
               {"id": "p1", "passed": 12, "told": 2, "limited": 4, "undecided": 5, "skipped": 1, "left": 998, "why": \
            "items has no size"}],
             "hits": [
               {"point": "p1", "place": "com.shop.Cart#total exit", "millis": 1000, "thread": "http-1",
                "trace": "0123456789abcdef0123456789abcdef", "span": "00f067aa0ba902b7", "text": "total of 7 is 42"},
               {"point": "p2", "place": "com.shop.Cart#total line 42", "millis": 2000, "thread": "http-2", "trace": \
            "", "span": "",
                "values": {"this": "Cart{id=7}", "sum": "41"}, "stack": ["com.shop.Cart.total(Cart.java:42)", \
            "com.shop.Main.main(Main.java:1)"]}]}
            """;

    @TempDir
    Path folder;

    @Test
    void add_isInForce_onceTheAgentSaysSo_andOneThatItCannotReadIsTakenBack() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            report(sidecar, 1, "");
            Ran added = run(
                    sidecar,
                    "log",
                    "add",
                    "com.shop.Cart#total",
                    "--message",
                    "is {return}",
                    "--when",
                    "items.size > 3",
                    "--rate",
                    "30/m",
                    "--quota",
                    "5");
            assertThat(added.code()).as(added.toString()).isZero();
            assertThat(added.out())
                    .isEqualTo("p1 at the exit of com.shop.Cart#total\nrevision 1; d-1 follows it: points 1 point\n");
            assertThat(orders(sidecar))
                    .contains("\"points\":[{\"id\":\"p1\",\"method\":\"com.shop.Cart#total\",\"at\":\"exit\","
                            + "\"message\":\"is {return}\",\"when\":\"items.size > 3\",\"rate\":0.5,\"quota\":5}]");

            report(sidecar, 2, "\"points: p2: when: column 9: the end (expected: a value)\"");
            Ran refused =
                    run(sidecar, "snapshot", "add", "com.shop.Cart#total", "--at", "line:42", "--when", "items >");
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.out())
                    .contains(
                            "p2 at the line 42 of com.shop.Cart#total\n",
                            "  problem: points: p2: when: column 9: the end (expected: a value)\n",
                            "p2 was taken back\n");
            assertThat(orders(sidecar)).contains("\"p1\"").doesNotContain("\"id\":\"p2\"");
        }
    }

    @Test
    void whatIsNoPoint_isRefusedByTheSidecar() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "snapshot", "add", "com.shop.Cart total").err())
                    .contains(
                            "method: com.shop.Cart total (expected: a class and a method such as com.shop.Cart#total");
            assertThat(run(sidecar, "snapshot", "add", "a.B#c", "--at", "middle")
                            .err())
                    .contains("at: middle (expected: entry, exit, throw or line:42; of a field reads, writes or both)");
            assertThat(run(sidecar, "snapshot", "add", "a.B#c", "--rate", "ten").err())
                    .contains("--rate: ten (expected: such as 10/s, 5/m or 1/h)");
            assertThat(run(sidecar, "snapshot", "add", "a.B#c", "--rate", "2000/s")
                            .err())
                    .contains("rate: 2000.0 (expected: 1/h to 1000/s)");
            assertThat(run(sidecar, "snapshot", "add", "a.B#c", "--quota", "0").err())
                    .contains("quota: 0 (expected: 1 to 1000000)");
            assertThat(run(sidecar, "log", "remove", "p9").err()).contains("p9 isn't there (any more)");
            assertThat(run(sidecar, "log", "list").out()).isEqualTo("none is there\n");
        }
    }

    @Test
    void whatPointsTold_isShown_eachCommandItsOwn_andSoIsHowTheyFare() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(run(sidecar, "log", "show")).isEqualTo(new Ran(1, "nothing was told\n", ""));
            Ran nobody = run(sidecar, "log", "add", "com.shop.Cart#total", "--message", "is {return}");
            assertThat(nobody.code()).isEqualTo(1);
            run(sidecar, "snapshot", "add", "com.shop.Cart#total(int,String)", "--at", "line:42");
            post(sidecar, "/v1/hits", HITS);

            assertThat(run(sidecar, "log", "list").out())
                    .isEqualTo("p1 at the exit of com.shop.Cart#total\n"
                            + "  d-1: 12 passed, 2 told, 4 limited, 5 undecided (items has no "
                            + "size), 1 skipped for the budget;"
                            + " 998 of the quota left; 3 lost by that agent\n");
            assertThat(run(sidecar, "snapshot", "list").out())
                    .isEqualTo("p2 at the line 42 of com.shop.Cart#total(int,String)\n");
            assertThat(run(sidecar, "log", "show").out())
                    .endsWith(
                            "  p1 d-1 trace 0123456789abcdef0123456789abcdef span 00f067aa0ba902b7  total of 7 is 42\n")
                    .hasLineCount(1);
            assertThat(run(sidecar, "snapshot", "show", "p2").out())
                    .contains("  p2 d-1  com.shop.Cart#total line 42 on http-2\n")
                    .contains("    this = Cart{id=7}\n", "    sum = 41\n", "    at com.shop.Cart.total(Cart.java:42)\n")
                    .endsWith("    at com.shop.Main.main(Main.java:1)\n");
            assertThat(run(sidecar, "log", "show", "p2").out()).isEqualTo("nothing was told\n");
            assertThat(run(sidecar, "log", "follow", "--after", "0", "--count", "1")
                            .out())
                    .endsWith("total of 7 is 42\n");
            assertThat(run(sidecar, "log", "show", "--json").out()).contains("\"last\" : 2");

            assertThat(run(sidecar, "log", "remove").out()).startsWith("revision 3; ");
            assertThat(run(sidecar, "log", "list").out()).isEqualTo("none is there\n");
            assertThat(run(sidecar, "snapshot", "remove", "p2").out()).startsWith("revision 4; ");
        }
    }

    @Test
    void watches_areOrderedAsPointsOfFields_andShownByThemselves() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran added = run(sidecar, "watch", "add", "com.shop.Cart.total", "--when", "value > 100", "--rate", "1/s");
            assertThat(added.out()).startsWith("w1 on writes of com.shop.Cart#total\n");
            run(sidecar, "watch", "add", "com.shop.Cart#total", "--reads");
            run(sidecar, "watch", "add", "com.shop.Cart.total", "--both", "--quota", "3");
            run(sidecar, "snapshot", "add", "com.shop.Cart#total");
            assertThat(orders(sidecar))
                    .contains(
                            "{\"id\":\"w1\",\"method\":\"com.shop.Cart#total\",\"at\":\"writes\",\"when\":\"value "
                                    + "> 100\",\"rate\":1.0,\"quota\":1000}",
                            "{\"id\":\"w2\",\"method\":\"com.shop.Cart#total\",\"at\":\"reads\",\"when\":\"\","
                                    + "\"rate\":10.0,\"quota\":1000}",
                            "{\"id\":\"w3\",\"method\":\"com.shop.Cart#total\",\"at\":\"both\",\"when\":\"\","
                                    + "\"rate\":10.0,\"quota\":3}");
            assertThat(run(sidecar, "watch", "add", "com.shop.Cart.total", "--both", "--reads")
                            .code())
                    .isEqualTo(2);
            post(sidecar, "/v1/hits", """
                    {"name": "d-1", "points": [], "hits": [
                       {"point": "w1", "place": "com.shop.Cart.total is written in com.shop.Shop#pay() line 42", \
                    "millis": 2000, "thread": "http-2",
                        "trace": "", "span": "", "values": {"value": "101", "old": "3"}, "stack": \
                    ["com.shop.Shop.pay(Shop.java:42)"]}]}
                    """);
            assertThat(run(sidecar, "watch", "list").out()).isEqualTo("""
                            w1 on writes of com.shop.Cart#total when value > 100
                            w2 on reads of com.shop.Cart#total
                            w3 on reads and writes of com.shop.Cart#total
                            """);
            assertThat(run(sidecar, "snapshot", "list").out()).isEqualTo("p4 at the exit of com.shop.Cart#total\n");
            assertThat(run(sidecar, "watch", "show").out())
                    .contains("  w1 d-1  com.shop.Cart.total is written in com.shop.Shop#pay() line 42 on http-2\n")
                    .contains("    value = 101\n", "    old = 3\n")
                    .endsWith("    at com.shop.Shop.pay(Shop.java:42)\n");
            assertThat(run(sidecar, "snapshot", "show").out()).isEqualTo("nothing was told\n");
            assertThat(run(sidecar, "watch", "remove").out()).startsWith("revision 7; ");
            assertThat(run(sidecar, "snapshot", "list").out()).startsWith("p4 ");
        }
    }

    private static void report(RunningSidecar sidecar, int revision, String problems) throws Exception {
        post(
                sidecar,
                "/v1/agent",
                "{\"name\":\"d-1\",\"orders\":{\"revision\":" + revision
                        + ",\"standing\":{\"points\":\"1 point\"},\"problems\":[" + problems + "]}}");
    }

    private static void post(RunningSidecar sidecar, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static String orders(RunningSidecar sidecar) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + "/v1/orders"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static Ran run(RunningSidecar sidecar, String... command) {
        String[] all = Arrays.copyOf(command, command.length + 2);
        all[command.length] = "--url";
        all[command.length + 1] = sidecar.controlUrl();
        return Ran.run(all);
    }
}
