package dev.understudy.sidecar.suspect;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

final class LeakTest {
    @Test
    void whatLeadsToSeveralPlaces_standsBeforeEachOfThem() {
        List<Leak> ranked = Leak.ranked(List.of(
                site("shop.Page", 10, "Tree#page", "Tree#clear", "Shop#close"),
                site("shop.Root", 9, "Tree#root", "Tree#clear", "Shop#close"),
                site("shop.Lock", 8, "Tree#lock", "Tree#clear", "Shop#close")));

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
                        List.of(site("shop.Page", 10, "Tree#page", "Shop#put"), site("shop.Line", 5, "Log#line"))))
                .extracting(Leak::method)
                .containsExactly("Tree#page", "Log#line", "Shop#put");
    }

    @Test
    void severalWaysToAMethod_areOneSuspect_withThatByWhichMostObjectsStay() {
        List<Leak> ranked = Leak.ranked(List.of(
                site("shop.Node", 10, "Tree#node", "Tree#put"), site("shop.Node", 12, "Tree#node", "Tree#load")));

        assertThat(ranked).extracting(Leak::method).containsExactly("Tree#node", "Tree#load", "Tree#put");
        assertThat(ranked.get(0).site().perThousand()).isEqualTo(12);
        assertThat(ranked.get(0).also()).isEmpty();
    }

    private static Leak.Site site(String className, double perThousand, String... methods) {
        return new Leak.Site(
                "shop", List.of(methods), className, perThousand, perThousand, perThousand, 100, 50, List.of());
    }
}
