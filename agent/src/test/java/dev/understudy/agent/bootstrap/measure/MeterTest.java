package dev.understudy.agent.bootstrap.measure;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MeterTest {
    /** Of a reading. */
    private static final long MOST_NANOS = 50_000;

    private final CountingMeter meter = new CountingMeter();
    private final int probe = (1 << 15) - 77;

    @BeforeEach
    void begin() {
        meter.begin();
        Meter.allow(1, 500);
    }

    @AfterEach
    void end() {
        Meter.allow(0, 0);
    }

    @Test
    void aCall_tookWhatWasUsedMeanwhile_withoutTheReadingItself() {
        Reading reading = Objects.requireNonNull(Meter.admit(5, false));
        reading.begin();
        meter.used += 1_234;
        reading.end(probe);

        assertThat(reading.took(Meter.CPU)).isEqualTo(1_234);
        assertThat(reading.took(Meter.COUNTERS)).isEqualTo(1_234);
        assertThat(reading.took(Meter.ALLOCATED)).as("isn't known").isEqualTo(-1);
        Totals totals = Objects.requireNonNull(Meter.totals(probe));
        assertThat(totals.mean(Meter.CPU)).isEqualTo(1_234);
        assertThat(totals.count(Meter.ALLOCATED)).isZero();
    }

    @Test
    void aThreadOfWhichNothingIsKnown_isCountedAsMissed_andNothingIsSaidOfItsCall() {
        meter.forget();
        long missed = Meter.missed();
        long taken = Meter.taken();
        Reading reading = Objects.requireNonNull(Meter.admit(5, false));
        reading.begin();
        reading.end(probe - 1);

        assertThat(Meter.missed() - missed).isEqualTo(1);
        assertThat(Meter.taken()).isEqualTo(taken);
        assertThat(reading.took(Meter.CPU)).isEqualTo(-1);
        assertThat(Meter.totals(probe - 1)).isNull();
    }

    @Test
    void aReadingWhoseThreadLostItsCore_isChargedNoMoreThanOneTakes() {
        Meter held = new Meter() {
            @Override
            protected boolean read(long[] values) {
                long since = System.nanoTime();
                while (System.nanoTime() - since < 10 * MOST_NANOS) {
                    Thread.onSpinWait();
                }
                return true;
            }
        };
        Reading reading = new Reading(held);
        long before = Meter.nanos();
        reading.begin();
        reading.end(probe - 2);

        assertThat(Meter.nanos() - before).isEqualTo(2 * MOST_NANOS);
    }

    @Test
    void oneInSoMany_isMeasured_andARareOneAlways_untilNoneIs() {
        Meter.allow(4, 500);
        int admitted = 0;
        for (int chance = 0; chance < 400; chance++) {
            admitted += Meter.admit(chance, false) == null ? 0 : 1;
        }
        assertThat(admitted).isEqualTo(100);
        assertThat(Meter.admit(1, true)).isNotNull();

        Meter.allow(0, 0);
        assertThat(Meter.admit(0, true)).isNull();
    }
}
