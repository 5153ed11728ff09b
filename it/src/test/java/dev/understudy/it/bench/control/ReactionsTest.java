package dev.understudy.it.bench.control;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ReactionsTest {
    private static final int PACE = 100;

    private final Reactions reactions = new Reactions();
    private final List<Reading> readings = new ArrayList<>();
    private final List<Decision> decisions = new ArrayList<>();

    @Test
    void aReaction_isFromTheReadingThatRises_toTheNextSmallerBudget() {
        calm(0, 2_000);
        readings.add(new Reading(2_000, 0.2, 0));
        readings.add(new Reading(2_100, 0.6, 90));
        readings.add(new Reading(2_200, 0.7, 190));
        decisions.add(new Decision(1_900, 0.2));
        decisions.add(new Decision(2_150, 0.2));
        decisions.add(new Decision(2_263, 0.1));
        decisions.add(new Decision(2_363, 0));

        reactions.add(readings, decisions, 0);

        assertThat(reactions.table()).endsWith("| 1 | 163 ms | 163 ms | 250 ms | met |\n");
        assertThat(reactions.missed()).isFalse();
    }

    @Test
    void theFirst_areLeftOut_andTheWorstDecides() {
        for (int n = 0; n < 4; n++) {
            rise(n * 10_000L, n == 0 ? 900 : n * 100L);
        }

        reactions.add(readings, decisions, 1);

        assertThat(reactions.table()).endsWith("| 3 | 200 ms | 300 ms | 250 ms | **missed** |\n");
        assertThat(reactions.missed()).isTrue();
    }

    @Test
    void aBudgetThatIsntCut_isAMiss_andOneThatWasZeroIsNone() {
        calm(0, 2_000);
        readings.add(new Reading(2_000, 0.9, 0));
        decisions.add(new Decision(1_900, 0));
        reactions.add(readings, decisions, 0);
        assertThat(reactions.toString()).startsWith("0 reactions");
        assertThat(reactions.missed()).as("nothing was measured").isTrue();

        reactions.add(readings, List.of(new Decision(1_900, 0.2), new Decision(6_000, 0.1)), 0);
        assertThat(reactions.toString()).startsWith("1 reactions");
        assertThat(reactions.missed()).isTrue();
    }

    @Test
    void whatRisesAgainSoon_orComesTwice_isNoRiseOfItsOwn() {
        rise(0, 50);
        readings.add(new Reading(2_100, 0, 0));
        readings.add(new Reading(2_200, 0.9, 0));
        readings.addAll(List.copyOf(readings));

        reactions.add(readings, decisions, 0);

        assertThat(reactions.toString()).isEqualTo("1 reactions, median 50 ms, worst 50 ms");
    }

    private void rise(long from, long millis) {
        decisions.add(new Decision(from + 1_000, 0.2));
        calm(from, from + 2_000);
        readings.add(new Reading(from + 2_000, 0.9, 50));
        decisions.add(new Decision(from + 2_000 + millis, 0));
    }

    private void calm(long from, long until) {
        for (long at = from; at < until; at += PACE) {
            readings.add(new Reading(at, 0.01, 20));
        }
    }
}
