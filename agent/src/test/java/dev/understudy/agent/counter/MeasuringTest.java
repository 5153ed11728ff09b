package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Reading;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MeasuringTest {
    private final FakePerf perf = new FakePerf();
    private int tries;
    private final Measuring measuring = Measuring.begin(Set.of(), () -> {
        tries++;
        return TriedCounters.on(perf, "2");
    });

    @AfterEach
    void end() {
        Meter.allow(0, 0);
    }

    @Test
    void whatIsWantedNow_isMeasuredOfCallsThatBegin_andThoseThatHaveBegunEndAsTheyBegan() {
        assertThat(measuring.nanos()).isZero();
        measuring.change(Set.of("alloc"));
        assertThat(measuring.nanos()).isPositive();
        Reading before = begun();
        measuring.change(Set.of("cpu"));
        Reading now = begun();
        for (Reading reading : List.of(before, now)) {
            reading.end(1);
        }
        assertThat(before.took(Meter.ALLOCATED)).isNotNegative();
        assertThat(before.took(Meter.CPU)).isEqualTo(-1);
        assertThat(now.took(Meter.ALLOCATED)).isEqualTo(-1);
        assertThat(now.took(Meter.CPU)).isNotNegative();
        assertThat(measuring.wanted()).containsExactly("cpu");
    }

    @Test
    void counters_areFoundOnce_andKeepTheirNamesAndFilesWhenTheyAreNotWanted() {
        assertThat(measuring.counters()).isEmpty();
        measuring.change(Set.of("counters"));
        assertThat(measuring.why()).startsWith("hardware: ");
        perf.absent.addAll(CounterEvent.HARDWARE);
        perf.error = 2;
        measuring.change(Set.of());

        assertThat(measuring.why()).isEqualTo("off (setting measure)");
        assertThat(measuring.counters()).hasSize(4);
        assertThat(measuring.threads()).isEqualTo(1);
        assertThat(measuring.nanos()).isZero();
        measuring.change(Set.of("counters"));
        assertThat(measuring.why()).startsWith("hardware: ");
        assertThat(tries).isEqualTo(1);
    }

    @Test
    void countersThatAreNotToBeHad_areTriedAgainWhenTheyAreOrderedAgain() {
        perf.absent.addAll(List.of(CounterEvent.values()));
        perf.error = 13;
        measuring.change(Set.of("counters"));
        assertThat(measuring.why()).startsWith("none: refused");
        assertThat(measuring.wanted()).containsExactlyInAnyOrder("cpu", "alloc");
        assertThat(measuring.counters()).isEmpty();

        perf.absent.clear();
        measuring.change(Set.of("counters"));
        assertThat(measuring.counters()).hasSize(4);
    }

    private static Reading begun() {
        Meter.allow(1, 1);
        Reading reading = Objects.requireNonNull(Meter.admit(0, true));
        reading.begin();
        return reading;
    }
}
