package dev.understudy.sidecar.suspect;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CallersTest {
    private final Callers callers = new Callers();

    @Test
    void theOneOfMostExchanges_whoeverCameFirst() {
        for (int i = 0; i < 5; i++) {
            callers.add(new int[] {7, i < 2 ? 1 : 2, 9, 7});
        }

        assertThat(callers.of(7)).isEqualTo(2);
        assertThat(callers.of(9)).isEqualTo(7);
    }

    @Test
    void nobody_ofMethodsThatNobodyCalled() {
        callers.add(new int[] {7, 1});

        assertThat(callers.of(6)).isNegative();
        assertThat(callers.of(8)).isNegative();
        assertThat(callers.of(-1)).isNegative();
    }
}
