package dev.understudy.relay.control;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class MetricsTest {
    @Test
    void counter_isScraped() {
        try (Metrics metrics = Metrics.open("test", "")) {
            metrics.registry().counter("understudy.test.things", "kind", "odd").increment(3);

            Routes.Target target = metrics.addTo(new Routes()).find("GET", "/metrics");
            Reply reply = requireNonNull(target)
                    .reply(new Call("/metrics", Map.of(), "", new byte[0]))
                    .join();

            assertThat(List.of(new String(reply.body(), StandardCharsets.UTF_8).split("\n")))
                    .contains("understudy_test_things_total{kind=\"odd\"} 3.0");
        }
    }
}
