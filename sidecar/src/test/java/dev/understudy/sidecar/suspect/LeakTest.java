package dev.understudy.sidecar.suspect;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

final class LeakTest {
    @Test
    void whatLeadsToSeveralPlaces_standsBeforeEachOfThem() {
        List<Leak> ranked = Leak.ranked(
                List.of(
                        site("shop.Page", 10, "Tree#page", "Tree#clear", "Shop#close"),
                        site("shop.Root", 9, "Tree#root", "Tree#clear", "Shop#close"),
                        site("shop.Lock", 8, "Tree#lock", "Tree#clear", "Shop#close")),
                Map.of());

        assertThat(ranked)
                .extracting(Leak::method, Leak::by)
                .containsExactly(
                        tuple("Tree#clear", "Tree#page"),
                        tuple("Tree#page", ""),
                        tuple("Tree#root", ""),
                        tuple("Tree#lock", ""),
                        tuple("Shop#close", "Tree#page"));
        assertThat(ranked.get(0).site().className()).isEqualTo("shop.Page");
        assertThat(ranked.get(0).also()).containsExactly("shop.Root", "shop.Lock");
    }

    @Test
    void ofMethodsByWhichAsManyStay_thatComesFirstWhichMakesThemItself() {
        assertThat(Leak.ranked(
                        List.of(site("shop.Page", 10, "Tree#page", "Shop#put"), site("shop.Line", 5, "Log#line")),
                        Map.of()))
                .extracting(Leak::method)
                .containsExactly("Tree#page", "Log#line", "Shop#put");
    }

    @Test
    void severalWaysToAMethod_areOneSuspect_withThatByWhichMostObjectsStay() {
        List<Leak> ranked = Leak.ranked(
                List.of(
                        site("shop.Node", 10, "Tree#node", "Tree#put"),
                        site("shop.Node", 12, "Tree#node", "Tree#load")),
                Map.of());

        assertThat(ranked).extracting(Leak::method).containsExactly("Tree#node", "Tree#load", "Tree#put");
        assertThat(ranked.get(0).site().perThousand()).isEqualTo(12);
        assertThat(ranked.get(0).also()).isEmpty();
    }

    @Test
    void whoUsedLast_andWhoMade_shareWhatStays() {
        List<Leak> ranked = Leak.ranked(
                List.of(
                        site("shop.Table", 10, "Store#create"),
                        use("shop.Table", 10, "Store#drop", "Shop#close"),
                        site("shop.Line", 6, "Log#line")),
                Map.of());

        assertThat(ranked)
                .as("Line's maker has all of 6, the Tables' each half of 10, whose caller half of that")
                .extracting(Leak::method)
                .containsExactly("Log#line", "Store#create", "Store#drop", "Shop#close");
        assertThat(ranked.get(2).site().used()).isTrue();
        assertThat(ranked.get(3).by()).isEqualTo("Store#drop");
    }

    @Test
    void whoMadeWhatNobodyUsed_hasAllOfIt_andWhoDidBothToo() {
        assertThat(Leak.ranked(
                        List.of(
                                site("shop.Table", 10, "Store#create"),
                                use("shop.Table", 10, "Store#drop"),
                                site("shop.Key", 7, "Keys#of"),
                                use("shop.Key", 7, "Keys#of"),
                                site("shop.Line", 6, "Log#line"),
                                useOfFew("shop.Line", 6, "Log#chance")),
                        Map.of()))
                .extracting(Leak::method)
                .containsExactly("Keys#of", "Log#line", "Store#create", "Store#drop");
    }

    @Test
    void ofWhatIsStillUsed_theMakersHaveMore() {
        Leak.Site some =
                new Leak.Site("shop", true, List.of("Store#drop"), "shop.Table", 0.5, 5, 5, 5, 100, 50, List.of());
        List<Leak> ranked = Leak.ranked(
                List.of(site("shop.Table", 10, "Store#create"), some, site("shop.Line", 7.4, "Log#line")), Map.of());

        assertThat(ranked)
                .as("7.5, 7.4 and 2.5")
                .extracting(Leak::method)
                .containsExactly("Store#create", "Log#line", "Store#drop");
    }

    @Test
    void whatStayingObjectsDoAmongThemselves_leadsToWhoeverCalledThemFromOutside() {
        List<Leak> ranked = Leak.ranked(
                List.of(
                        use("shop.Page", 10, "shop.Leaf#split", "shop.Tree#clear", "Store#drop", "Shop#close"),
                        site("shop.Line", 6, "Log#line", "Shop#put")),
                Map.of("shop", Set.of("shop.Page", "shop.Leaf", "shop.Tree"), "other", Set.of("Store", "Log")));

        assertThat(ranked)
                .as("6, 5, 5 and 5, and half as much for those behind")
                .extracting(Leak::method)
                .containsExactly(
                        "Log#line", "shop.Leaf#split", "shop.Tree#clear", "Store#drop", "Shop#put", "Shop#close");
    }

    @Test
    void whatTheConstructorOfAStayingObjectMakes_goesTheWayOfThatObject() {
        List<Leak> ranked = Leak.ranked(
                List.of(
                        site("java.lang.Long", 10, "shop.Tree#<init>", "shop.Table#<init>", "Store#create"),
                        use("shop.Table", 8, "Store#drop"),
                        site("java.lang.Short", 10, "Other#<init>", "shop.Table#<init>"),
                        site("shop.Line", 8, "Log#line")),
                Map.of("shop", Set.of("shop.Table", "shop.Tree")));

        assertThat(ranked)
                .as("10, half of 8 and half of 10, 8, half of 10 and of 10, half of 10, half of 10")
                .extracting(Leak::method)
                .containsExactly(
                        "shop.Table#<init>",
                        "Other#<init>",
                        "Store#drop",
                        "Log#line",
                        "shop.Tree#<init>",
                        "Store#create");
        assertThat(ranked.get(2).also()).containsExactly("java.lang.Long");
        assertThat(ranked.get(2).site().used()).isTrue();
    }

    @Test
    void ofSeveralWays_thatStandsForAMethod_whichCountsMostInAll() {
        List<Leak> ranked = Leak.ranked(
                List.of(
                        site("shop.Page", 9, "Store#drop"),
                        use("shop.Table", 8, "Store#drop"),
                        site("java.lang.Long", 12, "shop.Table#<init>")),
                Map.of("shop", Set.of("shop.Table")));

        assertThat(ranked.get(0).method()).isEqualTo("Store#drop");
        assertThat(ranked.get(0).site().className())
                .as("4 and 6 are more than 9")
                .isEqualTo("shop.Table");
        assertThat(ranked.get(0).also()).containsExactlyInAnyOrder("shop.Page", "java.lang.Long");
    }

    @Test
    void whatNoAgentWouldSay_isRankedSomehow() {
        String[] deep = new String[100];
        Arrays.fill(deep, "#");
        assertThat(Leak.ranked(
                        List.of(
                                site("", Double.NaN, "", "#", "a#b#c"),
                                use("", Double.POSITIVE_INFINITY, "x", "x"),
                                use("y", -1, deep)),
                        Map.of("shop", Set.of(""))))
                .hasSize(4);
    }

    private static Leak.Site use(String className, double perThousand, String... methods) {
        return new Leak.Site(
                "shop",
                true,
                List.of(methods),
                className,
                1,
                perThousand,
                perThousand,
                perThousand,
                100,
                50,
                List.of());
    }

    private static Leak.Site useOfFew(String className, double perThousand, String method) {
        return new Leak.Site(
                "shop", true, List.of(method), className, 1, perThousand, perThousand, perThousand, 9, 2, List.of());
    }

    private static Leak.Site site(String className, double perThousand, String... methods) {
        return new Leak.Site(
                "shop",
                false,
                List.of(methods),
                className,
                1,
                perThousand,
                perThousand,
                perThousand,
                100,
                50,
                List.of());
    }
}
