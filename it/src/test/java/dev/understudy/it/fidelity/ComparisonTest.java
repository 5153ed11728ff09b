package dev.understudy.it.fidelity;

import dev.understudy.it.fidelity.Comparison.Difference;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTest {
    private static final List<Operation> PRODUCTION = List.of(
            new Operation("first", "count", "1"),
            new Operation("second", "count", "2"),
            new Operation("third", "read", "x"),
            new Operation("fourth", "read", "x"));

    @Test
    void equalResults_areTheSame() {
        Comparison comparison = Comparison.of(PRODUCTION, PRODUCTION);

        assertThat(comparison.same()).isEqualTo(4);
        assertThat(comparison.share()).isEqualTo(1);
        assertThat(comparison.wrong()).isEmpty();
    }

    @Test
    void anotherPlacesResult_isNotWrong() {
        Comparison comparison = Comparison.of(PRODUCTION, List.of(new Operation("first", "count", "2")));

        assertThat(comparison.otherwise()).isEqualTo(1);
        assertThat(comparison.same()).isZero();
        assertThat(comparison.lost()).isEqualTo(3);
        assertThat(comparison.wrong()).isEmpty();
    }

    @Test
    void anotherFormsResult_isWrong() {
        Operation crossed = new Operation("third", "read", "2");

        Comparison comparison = Comparison.of(PRODUCTION, List.of(crossed));

        assertThat(comparison.wrong()).containsExactly(new Difference(crossed, "x"));
    }

    @Test
    void resultOfAFormThatProductionNeverAsked_isWrong() {
        Operation invented = new Operation("fifth", "nobody asked", "1");

        assertThat(Comparison.of(PRODUCTION, List.of(invented)).wrong())
                .containsExactly(new Difference(invented, "nothing"));
    }

    @Test
    void misses_areCountedByForm() {
        String miss = Transcript.result("ERROR: understudy has no recorded reply for: SELECT 1");

        Comparison comparison = Comparison.of(
                PRODUCTION, List.of(new Operation("third", "read", miss), new Operation("fourth", "read", miss)));

        assertThat(comparison.missed()).isEqualTo(2);
        assertThat(comparison.topMisses(10)).extracting(Object::toString).containsExactly("read=2");
        assertThat(comparison.wrong()).isEmpty();
    }
}
