package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TalliesTest {
    private static final int CALLED = Predicate.ROOM;

    private final Methods methods = new Methods();
    private final Tallies tallies = new Tallies(methods);

    TalliesTest() {
        methods.of(
                ObservedBatch.read(TestAgent.batch("00000000000000aa", "\"methods\":{\"0\":\"m0\",\"1\":\"m1\"}")), 0);
    }

    @Test
    void whatHeldSinceATime_isKnown_whetherItHeldBeforeOrNot() {
        tallies.mark(3);
        add(4);
        tallies.mark(7);
        add(2);

        assertThat(tallies.heldSince(3, CALLED)).isEqualTo(6);
        assertThat(tallies.heldSince(7, CALLED)).isEqualTo(2);
        assertThat(tallies.heldSince(5, CALLED)).as("nobody remembers").isEqualTo(6);
    }

    @Test
    void onlyTheLatestTimes_areRemembered() {
        for (int i = 0; i <= Tallies.MOST_MARKS; i++) {
            add(1);
            tallies.mark(i);
        }

        assertThat(tallies.heldSince(0, CALLED)).isEqualTo(Tallies.MOST_MARKS + 1);
        assertThat(tallies.heldSince(1, CALLED)).isEqualTo(Tallies.MOST_MARKS - 1);
    }

    private void add(int times) {
        ExchangeOutcome ending = TestEnding.of().end();
        for (int i = 0; i < times; i++) {
            tallies.add(new Run(new int[] {CALLED}, new int[0], true, new int[0], ending, 0, LabelRule.Why.NONE));
        }
    }
}
