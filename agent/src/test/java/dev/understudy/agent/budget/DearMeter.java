package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Reading;
import java.util.Objects;

/** Takes its time to read nothing. */
final class DearMeter extends Meter {
    /** What reading takes at least. */
    static final int READ_NANOS = 20_000;

    private static final int PROBE = (1 << 15) - 91;

    @Override
    protected boolean read(long[] values) {
        long since = System.nanoTime();
        while (System.nanoTime() - since < READ_NANOS) {
            Thread.onSpinWait();
        }
        return true;
    }

    /** Measures so many calls, each with two readings. */
    void measure(int calls) {
        Meter.allow(1, 1_000);
        for (int i = 0; i < calls; i++) {
            Reading reading = Objects.requireNonNull(Meter.admit(0, true));
            reading.begin();
            reading.end(PROBE);
        }
        Meter.allow(0, 0); // of other calls none is measured, or each would be as dear
    }
}
