package dev.understudy.sidecar.steer;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ProbeOrdersTest {
    private final Orders orders = new Orders();
    private final ProbeOrders probes = new ProbeOrders(orders);

    @Test
    void whatWasOrderedLast_standsLast() {
        probes.order(List.of("com.shop.*", "@*GET"), List.of(), List.of());
        probes.order(List.of(), List.of("com.shop.*"), List.of());
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of(
                        "probes", Map.of("rules", List.of(rule("@*GET", "armed"), rule("com.shop.*", "off")))));
        probes.order(List.of(), List.of(), List.of("@*GET"));
        assertThat(orders.sheet().kinds())
                .isEqualTo(Map.of("probes", Map.of("rules", List.of(rule("com.shop.*", "off")))));
        probes.reset();
        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(4, Map.of()));
    }

    @Test
    void whatIsWrong_changesNothing() {
        probes.order(List.of("a"), List.of(), List.of());
        for (String odd : List.of("", "a b", "a\n", "x".repeat(301))) {
            assertThatThrownBy(() -> probes.order(List.of("b", odd), List.of(), List.of("a")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected: a pattern");
        }
        assertThatThrownBy(() -> probes.order(List.of(), List.of(), List.of("b")))
                .hasMessage("reset: b isn't ordered (expected: one of a)");
        List<String> many = IntStream.range(0, 100).mapToObj(n -> "p" + n).toList();
        assertThatThrownBy(() -> probes.order(many, List.of(), List.of())).hasMessageContaining("at most 100");

        assertThat(orders.revision()).isEqualTo(1);
    }

    private static Map<String, String> rule(String pattern, String stance) {
        return Map.of("pattern", pattern, "stance", stance);
    }
}
