package dev.understudy.it.bench.agent;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MiddleTest {
    @Test
    void middle_isBetweenTheTwoInTheMiddle() {
        assertThat(Middle.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Middle(2, 1, 9));
        assertThat(Middle.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(new Middle(3, 1, 9));
        assertThat(Middle.of(List.of()).value()).isNaN();
    }
}
