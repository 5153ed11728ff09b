package dev.understudy.sidecar.steer;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SettingOrdersTest {
    private final Orders orders = new Orders();
    private final SettingOrders settings = new SettingOrders(orders, Duration.ofMinutes(5));

    @Test
    void whatIsOrdered_holdsUntilItIsTakenBack() {
        settings.order(Map.of("budget", "0.1", "leaks", "5s"), List.of());
        settings.order(Map.of("budget", "0.3"), List.of("leaks"));
        assertThat(orders.sheet().kinds()).isEqualTo(Map.of("settings", Map.of("budget", "0.3")));
        settings.reset();
        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(3, Map.of()));
    }

    @Test
    void theWantedWindow_isTheSidecarsOwn() {
        assertThat(settings.wanted()).isEqualTo(Duration.ofMinutes(5));
        settings.order(Map.of("window.wanted", "0s"), List.of());
        assertThat(settings.wanted()).isZero();
        settings.order(Map.of("window.wanted", "10m"), List.of());
        assertThat(settings.wanted()).isEqualTo(Duration.ofMinutes(10));
        assertThat(orders.revision()).as("agents aren't told").isZero();
        settings.order(Map.of(), List.of("window.wanted"));
        assertThat(settings.wanted()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void whatIsWrong_changesNothing() {
        settings.order(Map.of("budget", "0.1"), List.of());
        for (Map.Entry<String, String> odd : List.of(
                Map.entry("", "1"),
                Map.entry("Budget", "1"),
                Map.entry("x".repeat(41), "1"),
                Map.entry("window.wanted", "soon"),
                Map.entry("leaks", "a\nb"),
                Map.entry("leaks", "x".repeat(201)))) {
            Map<String, String> both = new LinkedHashMap<>(Map.of("deep", "3"));
            both.put(odd.getKey(), odd.getValue());
            assertThatThrownBy(() -> settings.order(both, List.of("budget")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("(expected: ");
        }
        assertThatThrownBy(() -> settings.order(Map.of(), List.of("leaks")))
                .hasMessage("reset: leaks isn't ordered (expected: budget)");
        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(1, Map.of("settings", Map.of("budget", "0.1"))));
    }
}
