package dev.understudy.sidecar.steer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PointOrdersTest {
    private final PointOrders points = new PointOrders(new Orders());

    @Test
    void fiftyAreInForceAtMost_andNoNameIsUsedTwice() {
        for (int i = 1; i <= 50; i++) {
            assertThat(add().id()).isEqualTo("p" + i);
        }
        assertThatThrownBy(this::add)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("points: 51 (expected: at most 50; remove some)");

        assertThat(points.remove("p7")).isTrue();
        assertThat(points.remove("p7")).isFalse();
        assertThat(add().id()).isEqualTo("p51");
    }

    private PointOrders.Point add() {
        return points.add("com.shop.Cart#total", "exit", true, "", "", 10, 1_000);
    }
}
