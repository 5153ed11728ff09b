package dev.understudy.agent.leak;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class TurnsTest {
    private final LeakTurns turns = new LeakTurns();

    @Test
    void theMostSuspicious_areWatchedFirst_andTheOthersWait() {
        assertThat(turns.next(classes(9))).containsExactlyInAnyOrderElementsOf(classes(LeakTurns.MOST));
        for (int count = 1; count < LeakTurns.LENGTH; count++) {
            assertThat(turns.next(classes(9))).containsExactlyInAnyOrderElementsOf(classes(LeakTurns.MOST));
        }
        assertThat(turns.next(classes(9))).as("three wait, so three go").contains("C6", "C7", "C8", "C3", "C4", "C5");
    }

    @Test
    void everyCandidate_hasItsTurn_againAndAgain() {
        for (int round = 0; round < 5; round++) {
            Set<String> watched = new HashSet<>();
            for (int count = 0; count < 8 * LeakTurns.LENGTH; count++) {
                Set<String> now = turns.next(classes(20));
                assertThat(now).hasSize(LeakTurns.MOST);
                watched.addAll(now);
            }
            assertThat(watched).as("round %s", round).containsExactlyInAnyOrderElementsOf(classes(20));
        }
    }

    @Test
    void asLongAsNobodyWaits_allAreWatchedOn() {
        for (int count = 0; count < 3 * LeakTurns.LENGTH; count++) {
            assertThat(turns.next(classes(LeakTurns.MOST)))
                    .containsExactlyInAnyOrderElementsOf(classes(LeakTurns.MOST));
        }
    }

    @Test
    void oneThatIsNoCandidateForAWhile_isWatchedToTheEndOfItsTurn() {
        assertThat(turns.next(List.of("A"))).containsExactly("A");
        for (int count = 1; count < LeakTurns.LENGTH; count++) {
            assertThat(turns.next(List.of())).containsExactly("A");
        }
        assertThat(turns.next(List.of())).isEmpty();
        assertThat(turns.next(List.of("A"))).containsExactly("A");
    }

    private static List<String> classes(int most) {
        return IntStream.range(0, most).mapToObj(i -> "C" + i).collect(Collectors.toList());
    }
}
