package dev.understudy.sidecar.steer;

import dev.understudy.sidecar.steer.ProbeOrders.Change;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ProbeOrdersTest {
    private static final List<String> NONE = List.of();

    private final Orders orders = new Orders();
    private final DeepOrders deep = new DeepOrders(orders);
    private final ProbeOrders probes = new ProbeOrders(orders, deep);

    @Test
    void whatWasOrderedLast_standsLast() {
        probes.order(new Change(List.of("com.shop.*", "@*GET"), NONE, NONE, NONE, NONE));
        probes.order(new Change(NONE, List.of("com.shop.*"), NONE, NONE, NONE));
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of(
                        "probes", Map.of("rules", List.of(rule("@*GET", "armed"), rule("com.shop.*", "off")))));
        probes.order(new Change(NONE, NONE, NONE, NONE, List.of("@*GET")));
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of("probes", Map.of("rules", List.of(rule("com.shop.*", "off")))));
        probes.reset();
        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(4, Map.of()));
    }

    @Test
    void spaces_mayStandInMethodsNames_andBetweenParameters() {
        List<String> spaced = List.of("com.shop.Cart#<init>(int, String)", "com.shop.Office#what the clerk says");
        probes.order(new Change(spaced, NONE, NONE, NONE, NONE));
        assertThatThrownBy(() -> probes.order(new Change(List.of("com.shop.Cart #total"), NONE, NONE, NONE, NONE)))
                .hasMessageContaining("expected: a pattern");
    }

    @Test
    void whatIsWrong_changesNothing() {
        probes.order(new Change(List.of("a"), NONE, List.of("d"), NONE, NONE));
        for (String odd : List.of("", "a b", "a\n", "x".repeat(301))) {
            for (Change change : List.of(
                    new Change(List.of("b", odd), NONE, NONE, NONE, List.of("a")),
                    new Change(NONE, NONE, List.of("b", odd), List.of("d"), NONE))) {
                assertThatThrownBy(() -> probes.order(change))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("expected: a pattern");
            }
        }
        assertThatThrownBy(() -> probes.order(new Change(NONE, NONE, NONE, NONE, List.of("b"))))
                .hasMessage("reset: b isn't ordered (expected: one of a, d)");
        assertThatThrownBy(() -> probes.order(new Change(NONE, NONE, NONE, List.of("a"), NONE)))
                .hasMessage("shallow: a isn't ordered (expected: one of d)");
        List<String> many = IntStream.range(0, 99).mapToObj(n -> "p" + n).toList();
        assertThatThrownBy(() -> probes.order(new Change(many, NONE, NONE, NONE, NONE)))
                .hasMessageContaining("at most 100");

        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of(
                        "deepen",
                        Map.of("patterns", List.of("d")),
                        "probes",
                        Map.of("rules", List.of(rule("a", "armed")))));
    }

    @Test
    void whatTheSearchWants_takesNothingBackThatTheOperatorDoes_norTheOtherWayRound() {
        probes.order(new Change(NONE, NONE, List.of("com.shop.Cart", "@*GET"), NONE, NONE));
        deep.search(List.of("com.shop.Stock"), List.of("com.shop.Stock#take"));
        probes.order(new Change(NONE, NONE, NONE, List.of("@*GET"), NONE));
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of(
                        "deepen",
                        Map.of(
                                "patterns",
                                List.of("com.shop.Cart"),
                                "classes",
                                List.of("com.shop.Stock"),
                                "methods",
                                List.of("com.shop.Stock#take"))));

        deep.search(List.of(), List.of());
        assertThat(orders.sheet().kinds()).isEqualTo(Map.of("deepen", Map.of("patterns", List.of("com.shop.Cart"))));
        deep.search(List.of("com.shop.Stock"), List.of());
        probes.reset();
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of("deepen", Map.of("classes", List.of("com.shop.Stock"), "methods", List.of())));
    }

    private static Map<String, String> rule(String pattern, String stance) {
        return Map.of("pattern", pattern, "stance", stance);
    }
}
