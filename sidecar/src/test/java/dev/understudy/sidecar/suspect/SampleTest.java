package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SampleTest {
    private static final int MANY = 20 * Sample.MOST;

    private final Sample sample = new Sample(new Random(5));

    @Test
    void fewRuns_areAllKept_withoutThoseBeforeThem() {
        Run alone = run(0, 1);
        sample.add(new Run(new int[] {1, 2, 3}, new int[0], true, alone));

        assertThat(sample.runs()).containsExactly(alone);
    }

    @Test
    void ofMany_eachIsKeptWithTheSameProbability() {
        for (int i = 0; i < MANY; i++) {
            sample.add(run(i, 1));
        }

        assertThat(sample.runs()).hasSize(Sample.MOST);
        assertThat(sample.runs().stream().filter(run -> run.after < MANY / 2).count())
                .as("of half of them, within four standard deviations")
                .isBetween(Sample.MOST / 2 - 64L, Sample.MOST / 2 + 64L);
    }

    @Test
    void longRuns_areFewer_soThatTheyNeedNoMoreRoom() {
        for (int i = 0; i < 1000; i++) {
            sample.add(run(i, 16_384));
        }

        assertThat(sample.runs()).hasSize(Sample.ROOM / 16_384);
    }

    @Test
    void whatIsTakenBack_isGone_andTheRestIsStillFair() {
        List<Run> taken = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Run run = run(i, 1);
            sample.add(run);
            if (i % 2 == 0) {
                taken.add(run);
            }
        }
        taken.forEach(sample::remove);
        for (int i = MANY; i < MANY + Sample.MOST; i++) {
            sample.add(run(i, 1));
        }

        assertThat(sample.runs()).doesNotContainAnyElementsOf(taken);
        assertThat(sample.runs().stream().filter(run -> run.after >= MANY).count())
                .as("a twentieth of these, too, within four standard deviations")
                .isBetween(Sample.MOST / 20 - 28L, Sample.MOST / 20 + 28L);
    }

    private static Run run(int number, int held) {
        ExchangeOutcome ending = TestEnding.of().number(number).end();
        return new Run(new int[held], new int[0], true, new int[0], ending, number, LabelRule.Why.NONE);
    }
}
