package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgErrors;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShapeHistoryTest {
    private static final Shape ONE = shape(1);
    private static final Shape TWO = shape(2);

    private final ShapeHistory history = new ShapeHistory();

    @Test
    void errorOfTheMoment_isGivenOnce_andThenWaitedFor() {
        Shape cancelled = new Shape(null, null, PgErrors.error("57014", "canceled", null, null));
        history.described(cancelled, 1);
        assertThat(history.next(null, shape -> true)).isEqualTo(cancelled);

        assertThat(history.has(null, shape -> true)).isFalse();
        assertThat(history.next(null, shape -> true)).isNull();
    }

    @Test
    void run_lastsUntilItsExecutionsWereGiven_howeverOftenItIsAskedFor() {
        history.described(ONE, 1);
        history.executed(2);
        history.described(TWO, 3);
        for (int i = 0; i < 5; i++) {
            assertThat(history.next(null, shape -> true)).isEqualTo(ONE);
        }
        history.given(2);

        assertThat(history.next(null, shape -> true)).isEqualTo(TWO);
    }

    @Test
    void runWhoseExecutionsWereNeverAskedFor_endsLongBeforeTheDebugSidesPosition() {
        history.described(ONE, 1);
        history.executed(2);
        history.described(TWO, TimeUnit.MINUTES.toNanos(1));

        assertThat(history.next(TimeUnit.SECONDS.toNanos(5), shape -> true)).isEqualTo(ONE);
        assertThat(history.next(TimeUnit.SECONDS.toNanos(50), shape -> true)).isEqualTo(TWO);
    }

    /** Each connection has a recorder of its own, and one may be late. */
    @Test
    void descriptionThatIsRecordedLate_isOfItsTime() {
        history.described(ONE, 1);
        history.executed(2);
        history.executed(12); // of what is described at 10
        history.described(TWO, 10);
        history.described(ONE, 3);
        history.executed(4);

        assertThat(history.columns(5L)).hasSize(1);
        assertThat(history.columns(11L)).hasSize(2);
        history.given(2);
        assertThat(history.next(null, shape -> true)).isEqualTo(ONE);
        history.given(4);
        assertThat(history.next(null, shape -> true)).isEqualTo(TWO);
        history.given(12);
        assertThat(history.next(null, shape -> true)).isEqualTo(TWO);
    }

    @Test
    void firstDescription_mayBeRecordedLast() {
        history.described(TWO, 10);
        history.executed(11);
        history.described(ONE, 1);

        assertThat(history.next(null, shape -> true)).isEqualTo(ONE);
        assertThat(history.next(null, shape -> true)).isEqualTo(TWO);
    }

    @Test
    void runThatBeganEarlier_takesItsExecutions() {
        history.described(ONE, 1);
        history.executed(2);
        history.executed(11);
        history.described(TWO, 20);
        history.executed(21);
        history.described(TWO, 10);

        history.given(2);
        assertThat(history.next(null, shape -> true)).isEqualTo(TWO);
    }

    @Test
    void manyChanges_areBounded() {
        for (int i = 0; i < 10_000; i++) {
            history.described(i % 2 == 0 ? ONE : TWO, i);
        }

        assertThat(history.bytes()).isLessThan(64 * 1024);
    }

    @Test
    void errorsAndParameters_countWithTheirBytes() {
        history.described(new Shape(null, null, PgErrors.error("42601", "x".repeat(50_000), null, null)), 1);
        assertThat(history.bytes()).isGreaterThan(50_000);

        history.described(new Shape(Collections.nCopies(10_000, 23), List.of(), null), 2);
        assertThat(history.bytes()).isGreaterThan(50_000 + 40_000);
    }

    private static Shape shape(int columns) {
        Column column = new Column("c", 0, (short) 0, 23, (short) 4, -1);
        return new Shape(List.of(), List.of(column, column).subList(0, columns), null);
    }

    @Test
    void longErrorsInTurn_areBoundedTogether() {
        for (int i = 0; i < 60; i++) {
            history.described(new Shape(null, null, PgErrors.error("42601", i + "x".repeat(100_000), null, null)), i);
        }
        assertThat(history.bytes()).isBetween(1_000_000L, 1_200_000L);
    }

    @Test
    void errorOfTheMoment_isNewsEachTimeItComes() {
        Shape cancelled = new Shape(null, null, PgErrors.error("57014", "canceled", null, null));
        assertThat(history.described(cancelled, 1)).isTrue();
        history.next(null, shape -> true);

        assertThat(history.described(cancelled, 2)).isTrue();
        assertThat(history.has(null, shape -> true)).isTrue();
        assertThat(history.described(ONE, 3)).isTrue();
        assertThat(history.described(ONE, 4)).isFalse();
    }

    @Test
    void columns_countWithTheirNames() {
        Column column = new Column("c".repeat(50_000), 0, (short) 0, 23, (short) 4, -1);
        history.described(new Shape(List.of(), List.of(column), null), 1);
        assertThat(history.bytes()).isGreaterThan(50_000);
    }
}
