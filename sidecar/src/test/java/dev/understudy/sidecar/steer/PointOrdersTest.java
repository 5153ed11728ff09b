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

    @Test
    void aMethodsNameMayHaveSpaces_butNothingElseThatIsWhite() {
        assertThat(add("com.shop.Office#what the clerk says").method()).endsWith("#what the clerk says");
        assertThat(add("com.shop.Cart#total(int, String)").method()).endsWith("#total(int, String)");
        for (String wrong : new String[] {"a b#c", "a#", "a# c", "a#c ", "a#b\nc", "a#b\tc", "a#b#c", "a#\u001b[1m"}) {
            assertThatThrownBy(() -> add(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("method: ");
        }
    }

    @Test
    void patterns_areThoseOfProbes_butNotOfWhatIsReached_norOfFields() {
        for (String pattern : new String[] {
            "com.shop.*Cart#total", "com.shop.*", "@jakarta.ws.rs.GET", "com.shop.Cart", "com.shop.Cart#<init>(int)"
        }) {
            assertThat(add(pattern).method()).isEqualTo(pattern);
        }
        for (String wrong : new String[] {"from:com.shop.Cart#total", "from:com.shop.*", "", "com.shop.* ", "a b"}) {
            assertThatThrownBy(() -> add(wrong))
                    .as(wrong)
                    .hasMessageContaining(
                            "or a pattern such as com.shop.*Cart#total, com.shop.* or @jakarta.ws.rs.GET");
        }
        assertThatThrownBy(() -> points.add("com.shop.*", "writes", true, "", "", 10, 1_000))
                .hasMessageStartingWith("method: com.shop.* (expected: ");
    }

    private PointOrders.Point add() {
        return add("com.shop.Cart#total");
    }

    private PointOrders.Point add(String method) {
        return points.add(method, "exit", true, "", "", 10, 1_000);
    }
}
