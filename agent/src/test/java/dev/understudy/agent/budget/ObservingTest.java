package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.Observations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ObservingTest {
    private static final double CALL_NANOS = 100;

    private final Observing observing = new Observing(CALL_NANOS);

    @AfterEach
    void end() {
        Observations.allow(0, 0);
    }

    @Test
    void withoutBudget_nothingIsObserved() {
        observing.allow(0.1);
        observing.allow(0);

        assertThat(Observations.period()).isZero();
    }

    @Test
    void withoutTraffic_theNextExchangeIsObserved() {
        observing.learn(0.1);

        assertThat(observing.allow(0.1)).isZero();
        assertThat(Observations.period()).isEqualTo(1);
    }

    @Test
    void trafficBeyondTheBudget_isObservedInPart() {
        for (int i = 0; i < 1000; i++) {
            ExchangeTraffic.one();
        }
        observing.learn(0.01); // 100 000 a second, of 50 µs each
        observing.allow(0.2); // 0.1 of a core is for 2 000 a second

        assertThat(Observations.period()).isEqualTo(50);
    }
}
