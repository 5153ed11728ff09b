package dev.understudy.agent.carry;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CoroutinePointTest {
    @Test
    void kotlinsCoroutines_haveWhatIsChangedThere() throws Exception {
        for (String name : CoroutinePoint.all().keySet()) {
            assertThat(PoolPointTest.missing(name, CoroutinePoint.of(name).keySet()))
                    .as(name)
                    .isEmpty();
        }
    }
}
