package dev.understudy.sidecar.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class SuspectsCommandTest {
    @TempDir
    Path folder;

    @Test
    void withoutObservations_itSaysSo() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("suspects", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isZero();
            assertThat(ran.out())
                    .contains("observed  0 failing (none), 0 successful", "no failing exchange was observed among 0");
        }
    }

    @Test
    void observationsOfUnknownEnd_areTakenAndTold() throws Exception {
        String batch = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{\"1\":\"A#b\"},\"exchanges\":"
                + "[{\"span\":\"00000000000000aa\",\"whole\":true,\"held\":[16]}]}";
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(post(sidecar, batch)).isEqualTo(200);
            assertThat(post(sidecar, batch.replace("[16]", "[32]"))).isEqualTo(409);
            assertThat(post(sidecar, "[]")).isEqualTo(400);

            assertThat(Ran.run("suspects", "--json", "--url", sidecar.controlUrl())
                            .out())
                    .contains("\"waiting\" : 1", "\"unnamed\" : 1");
        }
    }

    @Test
    void classesThatGrow_areSuspectsToo() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(post(
                            sidecar,
                            "/v1/agent",
                            "{\"name\":\"shop-7\",\"leaks\":{\"counts\":9,\"growing\":["
                                    + "{\"class\":\"com.shop.Cart\",\"objects\":1200,\"more\":800,\"perThousand\":99.96},"
                                    + ""
                                    + ""
                                    + ""
                                    + ""
                                    + ""
                                    + "3]}}"))
                    .isEqualTo(200);
            Ran ran = Ran.run("suspects", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out())
                    .contains("live objects that grow in number with the exchanges:")
                    .contains("com.shop.Cart  +100.0 per 1000 exchanges, 1200 now, +800 in 9 counts (shop-7)");
        }
    }

    @Test
    void locksTakenInACircle_areSuspectsToo() throws Exception {
        String step = "{\"holds\":\"Bank.%s\",\"type\":\"java.lang.Object\",\"holdsSince\":\"a.Bank#%s\","
                + "\"holdsSinceLine\":%d,"
                + "\"takes\":\"Bank.%s\",\"method\":\"a.Bank#book\",\"line\":12,\"thread\":\"http-%d\","
                + "\"stack\":[\"a.Bank#book:12\",\"a.Shop#pay:7\"]}";
        String cycle = "[" + String.format(step, "ledger", "close", 0, "audit", 1) + ","
                + String.format(step, "audit", "book", 11, "ledger", 2) + "]";
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(post(sidecar, "/v1/agent", "{\"name\":\"bank-7\",\"locks\":{\"cycles\":[" + cycle + ",3]}}"))
                    .isEqualTo(200);
            Ran ran = Ran.run("suspects", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out())
                    .contains(
                            "#1 circle: locks taken in a circle, in which threads that meet "
                                    + "stand still for good (bank-7):",
                            "   a.Bank#book line 12 takes Bank.audit, holding Bank.ledger "
                                    + "(java.lang.Object) since a.Bank#close\n"
                                    + "      thread http-1\n      at a.Bank#book:12\n      at a.Shop#pay:7",
                            "   a.Bank#book line 12 takes Bank.ledger, holding Bank.audit "
                                    + "(java.lang.Object) since a.Bank#book line 11\n" + "      thread http-2");
        }
    }

    @Test
    void methodsThatMakeWhatStays_areRankedByHowMuchThatIs_behindTheOthers() throws Exception {
        String site = "{\"sampled\":40,\"survived\":%d,\"part\":%s,\"methods\":[%s],"
                + "\"stack\":[\"com.shop.Cart.add(Cart.java:7)\"]}";
        String growing = "{\"class\":\"%s\",\"objects\":1200,\"more\":800,\"perThousand\":100,\"low\":80,"
                + "\"high\":120,\"sites\":[%s]}";
        String cart = site.formatted(20, "0.25", "\"com.shop.Cart#add\",\"com.shop.Main#serve\"");
        String few = site.formatted(2, "0.9", "\"com.shop.Chance#met\"");
        String log = site.formatted(30, "0.5", "\"com.shop.Log#line\"");
        String nobody = site.formatted(20, "0.07", "") + "," + site.formatted(3, "0.02", "");
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            post(
                    sidecar,
                    "/v1/agent",
                    "{\"name\":\"shop-7\",\"leaks\":{\"counts\":9,\"growing\":["
                            + growing.formatted("com.shop.Item", cart + "," + log + "," + nobody) + ","
                            + growing.formatted("java.util.HashMap$Node", few + "," + cart.replace("0.25", "0.75"))
                            + ",7]}}");
            Ran ran = Ran.run("suspects", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out()).contains("""

                            #1 leak: com.shop.Cart#add made java.util.HashMap$Node that stay
                               +75.0 per 1000 exchanges (95 %: +60.0 to +90.0); 20 of 40 sampled ones made there \
                            were still there (shop-7)
                               and objects of com.shop.Item
                                  at com.shop.Cart.add(Cart.java:7)

                            #2 leak: com.shop.Log#line made com.shop.Item that stay
                               +50.0 per 1000""").contains("""
                            #3 leak: com.shop.Main#serve had java.util.HashMap$Node made that stay, by com.shop.Cart#add
                               +75.0 per 1000""").doesNotContain("Chance");
            assertThat(ran.out().lines().filter(line -> line.contains("+800 in 9 counts")))
                    .satisfiesExactly(
                            item -> assertThat(item)
                                    .endsWith("(shop-7), 9 % of those that stay made by no method of the application"),
                            node -> assertThat(node).endsWith("(shop-7)"));
        }
    }

    @Test
    void whoUsedLastWhatStays_isSuspectedToo_whateverElseAnAgentSays() throws Exception {
        String place = "{\"sampled\":40,\"survived\":30,\"part\":%s,\"methods\":[%s],"
                + "\"stack\":[\"com.shop.Table.close(Table.java:7)\"]}";
        String growing = "{\"class\":\"%s\",\"objects\":1200,\"more\":800,\"perThousand\":100,\"low\":80,\"high\":120,"
                + "\"extends\":[\"com.shop.Relation\"],\"sites\":[%s],\"uses\":[%s]}";
        String made = place.formatted("0.5", "\"com.shop.Store#create\"");
        String used =
                place.formatted("1.0", "\"com.shop.Relation#clear\",\"com.shop.Store#drop\",\"com.shop.Main#serve\"");
        String hostile =
                "7,null,[],{},{\"methods\":{\"a\":{}},\"part\":\"NaN\"},{\"methods\":[null,1,[2],\"\"],\"part\":1e999,"
                        + "\"survived\":1e30,\"stack\":\"no\"}";
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            String leaks = growing.formatted("com.shop.Table", made, used) + ",{\"uses\":[" + hostile
                    + "],\"extends\":[[],{}],\"perThousand\":\"many\"},{\"uses\":3,\"sites\":{\"b\":[" + hostile
                    + "]},\"extends\":\"x\"}";
            post(sidecar, "/v1/agent", "{\"name\":\"shop-7\",\"leaks\":{\"counts\":9,\"growing\":[" + leaks + "]}}");
            Ran ran = Ran.run("suspects", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out())
                    .contains("""

                            #1 leak: com.shop.Relation#clear was the last to use com.shop.Table that stay
                               +100.0 per 1000 exchanges (95 %: +80.0 to +120.0); 30 of 40 sampled ones used there \
                            stay, and weren't used since (shop-7)
                                  at com.shop.Table.close(Table.java:7)

                            #2 leak: com.shop.Store#drop was the last to have com.shop.Table used that stay, by \
                            com.shop.Relation#clear
                               +100.0 per 1000""")
                    .contains("#3 leak: com.shop.Store#create made com.shop.Table that stay");
        }
    }

    private static int post(RunningSidecar sidecar, String body) throws Exception {
        return post(sidecar, "/v1/observations", body);
    }

    private static int post(RunningSidecar sidecar, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.controlUrl() + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }
}
