package dev.understudy.sidecar.console;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TimelineTest {
    private final Timeline timeline = new Timeline();

    @Test
    void story_hasAllKinds_theNewestFirst() {
        add("tee", 1, "mode", "paused");
        add("order", 2, "by", "ann");
        add("resync", 3, "epoch", 2);
        add("window", 4, "lag", 7);

        assertThat(timeline.newest("", 10)).extracting(Timeline.Entry::kind).containsExactly("resync", "order", "tee");
        assertThat(timeline.newest("order", 10))
                .singleElement()
                .satisfies(order -> assertThat(order.what()).containsEntry("by", "ann"));
        assertThat(timeline.newest("", 1)).hasSize(1);
        assertThat(timeline.revision()).isEqualTo(3);
    }

    @Test
    void flood_ofOneKind_leavesTheOthersThere() {
        add("resync", 1, "epoch", 2);
        for (int n = 0; n < 10_000; n++) {
            add("order", 2 + n, "by", "script");
        }

        assertThat(timeline.newest("", 500)).hasSize(Timeline.KEPT + 1);
        assertThat(timeline.newest("resync", 500)).hasSize(1);
    }

    @Test
    void lossesThatFollow_areOneEntry_untilHalfAMinuteIsOver() {
        add("overflow", 1_000, "reason", "OVERFLOW_LANE");
        add("overflow", 20_000, "reason", "OVERFLOW_LANE");
        add("overflow", 40_000, "reason", "OVERFLOW_LANE");
        assertThat(timeline.newest("", 10)).singleElement().satisfies(merged -> {
            assertThat(List.of(merged.at(), merged.until(), merged.times())).containsExactly(1_000L, 40_000L, 3L);
            assertThat(merged.number()).isEqualTo(timeline.revision());
        });

        add("overflow", 40_001, "reason", "OVERFLOW_GLOBAL");
        add("overflow", 80_000, "reason", "OVERFLOW_GLOBAL");
        assertThat(timeline.newest("", 10)).hasSize(3);
    }

    @Test
    void lossesThatFollow_addUp() {
        for (int part = 0; part < 3; part++) {
            timeline.add(
                    "loss",
                    Map.of("at", part, "reason", "DEBUG_CLOSED", "connections", part == 0 ? 1L : 0L, "bytes", 100L));
        }

        assertThat(timeline.newest("", 10))
                .singleElement()
                .satisfies(merged -> assertThat(merged.what())
                        .containsEntry("connections", 1L)
                        .containsEntry("bytes", 300L));
    }

    @Test
    void divergence_isTold_onceACopyAndEpoch() {
        add("divergence", 1, "debug", "a");
        add("divergence", 2, "debug", "a");
        add("divergence", 3, "debug", "b");
        assertThat(timeline.newest("divergence", 10)).hasSize(2);

        add("resync", 4, "epoch", 2);
        add("divergence", 5, "debug", "a");
        assertThat(timeline.newest("divergence", 10)).hasSize(3);
    }

    private void add(String kind, long at, String name, Object value) {
        timeline.add(kind, Map.of("at", at, "listener", "server", name, value));
    }
}
