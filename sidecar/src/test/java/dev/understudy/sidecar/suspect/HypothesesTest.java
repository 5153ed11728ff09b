package dev.understudy.sidecar.suspect;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class HypothesesTest {
    private final Hypotheses hypotheses = new Hypotheses();

    @Test
    void aPlaceCountsForAsLongAsOthersDontOutnumberIt() {
        hypotheses.note(3, List.of("A#a", "B#b"));
        hypotheses.note(5, List.of("B#b"));

        assertThat(hypotheses.of("A#a")).isEqualTo(0.5);
        assertThat(hypotheses.of("B#b")).isEqualTo(0.75);
        assertThat(hypotheses.of("C#c")).isZero();
    }

    @Test
    void itIsDueAgain_whenHalfAsManyMoreHaveFailed() {
        assertThat(hypotheses.isDue(1)).isTrue();
        hypotheses.note(10, List.of("A#a"));

        assertThat(hypotheses.isDue(14)).isFalse();
        assertThat(hypotheses.isDue(15)).isTrue();
    }

    @Test
    void theyAreBounded_andTheWeakestGo() {
        hypotheses.note(3, List.of("A#a"));
        for (int i = 0; i < 50; i++) {
            int note = i;
            hypotheses.note(
                    i,
                    IntStream.range(0, 20).mapToObj(n -> "M" + note + "#" + n).toList());
        }

        assertThat(hypotheses.methods()).hasSize(Hypotheses.MOST).contains("A#a", "M49#0");
    }
}
