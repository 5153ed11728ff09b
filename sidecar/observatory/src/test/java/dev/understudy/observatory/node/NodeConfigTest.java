package dev.understudy.observatory.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class NodeConfigTest {
    private static NodeConfig config(long everyMillis, long keep, List<String> processes) {
        return new NodeConfig(Path.of("x"), Duration.ofMillis(everyMillis), processes, keep, Duration.ZERO);
    }

    @Test
    void bounds_areIncluded() {
        assertThat(config(20, 1 << 20, Collections.nCopies(16, "java")).every()).isEqualTo(Duration.ofMillis(20));
        assertThat(config(1000, 1L << 40, List.of()).every()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void beyondThem_isRefused_withWhatWasExpected() {
        assertThatThrownBy(() -> config(19, 1 << 20, List.of())).hasMessage("--every: 19 ms (expected: 20ms to 1s)");
        assertThatThrownBy(() -> config(1001, 1 << 20, List.of())).hasMessageContaining("expected: 20ms to 1s");
        assertThatThrownBy(() -> config(50, (1 << 20) - 1, List.of())).hasMessageContaining("expected: 1MiB or more");
        assertThatThrownBy(() -> config(50, 1 << 20, Collections.nCopies(17, "java")))
                .hasMessageContaining("17 of them (expected: up to 16)");
        assertThatThrownBy(() -> config(50, 1 << 20, List.of(" "))).hasMessageContaining("a part of its command line");
    }
}
