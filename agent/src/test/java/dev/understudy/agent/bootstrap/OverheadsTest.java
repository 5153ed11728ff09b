package dev.understudy.agent.bootstrap;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OverheadsTest {
    private static final String SPAN = "b7ad6b7169203331";
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-" + SPAN + "-01";

    private final int probe = Probes.CAPACITY / 2 + 21;

    @BeforeEach
    void allow() {
        clear();
        Probes.arm(probe, 1);
        Credit.set(Integer.MAX_VALUE);
        Probes.price(probe, 250);
        OverheadMeter.allow(1);
    }

    @AfterEach
    void clear() {
        OverheadMeter.allow(0);
        Observations.allow(0, 0);
        Probes.arm(probe, 0);
        Credit.set(0);
        while (OverheadMeter.poll() != null || Observations.poll() != null) {
            // of other tests
        }
    }

    @Test
    void samples_countForTheExchangeInWhichTheyWereTaken() {
        call(3); // outside of any
        int before = Timings.samples(probe);
        Object exchange = ServedExchanges.begin(HEADER);
        call(10);
        ServedExchanges.exit(exchange);
        int sampled = Timings.samples(probe) - before;

        OverheadMeter.Overhead told = Objects.requireNonNull(OverheadMeter.poll());
        assertThat(sampled).isPositive();
        assertThat(told.span()).isEqualTo(SPAN);
        assertThat(told.nanos()).isEqualTo(250L * sampled);
        assertThat(OverheadMeter.poll()).isNull();
    }

    @Test
    void observedCalls_count_sampledOrNot() {
        Probes.arm(probe, 0);
        call(Probes.TRAINING + 2);
        Observations.price(40, 40);
        Observations.allow(1, Integer.MAX_VALUE);
        Object exchange = ServedExchanges.begin(HEADER);
        call(5);
        ServedExchanges.exit(exchange);

        assertThat(Objects.requireNonNull(OverheadMeter.poll()).nanos()).isEqualTo(200);
    }

    @Test
    void nothingIsTold_withoutATraceOrPermission_norBeyondItsRoom() {
        ServedExchanges.exit(ServedExchanges.begin(null));
        OverheadMeter.allow(0);
        ServedExchanges.exit(ServedExchanges.begin(HEADER));
        assertThat(OverheadMeter.poll()).isNull();

        OverheadMeter.allow(1);
        for (int i = 0; i < 2 * OverheadMeter.CAPACITY; i++) {
            ServedExchanges.exit(ServedExchanges.begin(HEADER));
        }
        int told = 0;
        while (OverheadMeter.poll() != null) {
            told++;
        }
        assertThat(told).isEqualTo(OverheadMeter.CAPACITY);
    }

    private void call(int times) {
        for (int i = 0; i < times; i++) {
            Probes.exit(Probes.enter(probe));
        }
    }
}
