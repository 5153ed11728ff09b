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
        Overheads.allow(1);
    }

    @AfterEach
    void clear() {
        Overheads.allow(0);
        Observations.allow(0, 0);
        Probes.arm(probe, 0);
        Credit.set(0);
        while (Overheads.poll() != null || Observations.poll() != null) {
            // of other tests
        }
    }

    @Test
    void samples_countForTheExchangeInWhichTheyWereTaken() {
        call(3); // outside of any
        int before = Timings.samples(probe);
        Object exchange = Exchanges.begin(HEADER);
        call(10);
        Exchanges.exit(exchange);
        int sampled = Timings.samples(probe) - before;

        Overheads.Overhead told = Objects.requireNonNull(Overheads.poll());
        assertThat(sampled).isPositive();
        assertThat(told.span()).isEqualTo(SPAN);
        assertThat(told.nanos()).isEqualTo(250L * sampled);
        assertThat(Overheads.poll()).isNull();
    }

    @Test
    void observedCalls_count_sampledOrNot() {
        Probes.arm(probe, 0);
        call(Probes.TRAINING + 2);
        Observations.price(40, 40);
        Observations.allow(1, Integer.MAX_VALUE);
        Object exchange = Exchanges.begin(HEADER);
        call(5);
        Exchanges.exit(exchange);

        assertThat(Objects.requireNonNull(Overheads.poll()).nanos()).isEqualTo(200);
    }

    @Test
    void nothingIsTold_withoutATraceOrPermission_norBeyondItsRoom() {
        Exchanges.exit(Exchanges.begin(null));
        Overheads.allow(0);
        Exchanges.exit(Exchanges.begin(HEADER));
        assertThat(Overheads.poll()).isNull();

        Overheads.allow(1);
        for (int i = 0; i < 2 * Overheads.CAPACITY; i++) {
            Exchanges.exit(Exchanges.begin(HEADER));
        }
        int told = 0;
        while (Overheads.poll() != null) {
            told++;
        }
        assertThat(told).isEqualTo(Overheads.CAPACITY);
    }

    private void call(int times) {
        for (int i = 0; i < times; i++) {
            Probes.exit(Probes.enter(probe));
        }
    }
}
