package dev.understudy.standin.run;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class StandInCostTest {
    private static final int REQUESTS = 100;
    private static final long MILLIS = 1_000_000;

    private final StandInCost cost = new StandInCost();

    /** Uses processor time that isn't on purpose, for so many requests. */
    private void busy(long nanosEach) {
        cost.begin();
        long begun = SimulatedWork.threadProcessorNanos();
        while (SimulatedWork.threadProcessorNanos() - begun < nanosEach * REQUESTS) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < REQUESTS; i++) {
            cost.add(0, MILLIS / 2);
        }
        cost.measure();
    }

    @Test
    void whatItCostsItself_isTakenOff() {
        busy(MILLIS);
        // the system counts a process's time in steps of 10 ms, a tenth of what was used
        assertThat(cost.processorLeft(10 * MILLIS)).isBetween(3 * MILLIS, 9 * MILLIS + MILLIS / 2);
        assertThat(cost.timeNanos()).isEqualTo(0.5 * MILLIS);
        cost.roundTrip(MILLIS);
        assertThat(cost.timeNanos()).isEqualTo(1.5 * MILLIS);
    }

    @Test
    void whatCheapRequestsCostTooMuch_isOwedByLaterOnes() {
        busy(MILLIS);
        long alone = cost.processorLeft(20 * MILLIS);
        assertThat(cost.processorLeft(0)).isZero();
        assertThat(cost.processorLeft(20 * MILLIS)).isBetween(alone - 8 * MILLIS, alone - MILLIS / 2);
        assertThat(cost.processorLeft(20 * MILLIS)).isEqualTo(alone);
    }

    @Test
    void fewRequests_tellNothing() {
        cost.begin();
        cost.add(0, MILLIS);
        cost.measure();
        assertThat(cost.timeNanos()).isZero();
        assertThat(cost.processorLeft(MILLIS)).isEqualTo(MILLIS);
    }
}
