package dev.understudy.sidecar.suspect;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each request has ten bytes. */
final class HistoriesTest {
    private static final int LENGTH = 10;

    private final Histories histories = new Histories();

    @Test
    void whatWasDoneOnTheConnectionBefore_countsAlong() {
        histories.with(run(1, 0, 16, 32), false);
        histories.with(run(2, 0, 48), false);
        Run joined = histories.with(run(1, LENGTH, 32, 64), false);

        assertThat(joined.held).containsExactly(16, 32, 64);
        assertThat(joined.calls).containsExactlyInAnyOrder(1, 0, 1, LENGTH);
        assertThat(joined.whole).isTrue();
    }

    @Test
    void afterOneThatFailed_aHistoryBeginsAnew() {
        histories.with(run(1, 0, 16), false);
        histories.with(run(1, LENGTH, 32), true);

        assertThat(histories.with(run(1, 2 * LENGTH, 64), false).held).containsExactly(64);
    }

    @Test
    void whereOneWasNotObserved_nothingIsKnownOfWhatWasNotDone() {
        histories.with(run(1, 0, 16), false);
        assertThat(histories.with(run(1, 2 * LENGTH, 32), false).whole).isFalse();
        assertThat(histories.with(run(1, 3 * LENGTH, 64), false).whole)
                .as("what lies between is still not known")
                .isFalse();
    }

    @Test
    void onlySoManyCountAlong() {
        Run joined = run(1, 0, 16);
        for (int i = 0; i < 3 * Histories.EARLIER; i++) {
            joined = histories.with(run(1, i * LENGTH, 16 * i), false);
        }

        assertThat(joined.held).hasSize(Histories.EARLIER + 1).endsWith(16 * (3 * Histories.EARLIER - 1));
        assertThat(joined.whole).isTrue();
    }

    private static Run run(int connection, int from, int... held) {
        Place place = new Place(2_000 + connection, from, from + LENGTH);
        Ending ending = new Ending("", place, 1, "cache", connection, "GET a", false, 0, "+OK", 1.0, false);
        return new Run(held, new int[] {1, from}, true, new int[0], ending, 0, LabelRule.Why.NONE);
    }
}
