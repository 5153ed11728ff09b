package dev.understudy.sidecar.steer;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PartsTest {
    private final Orders orders = new Orders();

    @Test
    void severalAgents_shareWhateverOrderTheyReportIn() {
        Parts parts = new Parts(orders, true);
        parts.follow(List.of("b"));
        assertThat(orders.sheet().kinds()).as("one alone has all").isEmpty();
        parts.follow(List.of("b", "a"));
        parts.follow(List.of("a", "b"));

        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(1, Map.of("parts", Map.of("agents", List.of("a", "b")))));
        assertThat(parts.inForce()).isTrue();
        parts.follow(List.of("a", "b", "c"));
        parts.follow(List.of("a"));
        assertThat(orders.revision()).isEqualTo(3);
        assertThat(parts.inForce()).isFalse();
    }

    @Test
    void unlessTheyAreToShare_nothingIsOrdered() {
        new Parts(orders, false).follow(List.of("a", "b"));

        assertThat(orders.revision()).isZero();
    }
}
