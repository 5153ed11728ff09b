package dev.understudy.sidecar.steer;

import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OrdersTest {
    private final Orders orders = new Orders();

    @Test
    void revision_countsWhatIsNewOnly() {
        assertThat(orders.order("dim", null)).isZero();
        assertThat(orders.order("dim", Map.of("to", 3))).isEqualTo(1);
        assertThat(orders.order("dim", Map.of("to", 3))).isEqualTo(1);
        Orders.Sheet before = orders.sheet();
        assertThat(orders.order("juggle", Map.of())).isEqualTo(2);
        assertThat(orders.order("dim", null)).isEqualTo(3);

        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(3, Map.of("juggle", Map.of())));
        assertThat(before.kinds()).as("isn't changed later").isEqualTo(Map.of("dim", Map.of("to", 3)));
    }
}
