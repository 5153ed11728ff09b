package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimedAnswersTest {
    private static final int MOST_TIMES = 64;

    /** Each connection has a recorder of its own, and one may be late. */
    @Test
    void answersThatAreRecordedLate_areOfTheirTime() {
        TimedAnswers.OfSession answers = new TimedAnswers.OfSession();
        PgMessage one = new PgWriter().string("ONE").toMessage('C');
        PgMessage two = new PgWriter().string("TWO").toMessage('C');
        answers.add(one, 1);
        answers.add(two, 10);
        answers.add(one, 2);
        answers.add(one, 20);
        answers.add(two, 9);

        assertThat(at(answers, 0)).isEqualTo(one);
        assertThat(at(answers, 2)).isEqualTo(two);
        assertThat(at(answers, 10)).isEqualTo(one);
        // in the middle of what was answered alike before and after
        answers.add(one, 30);
        answers.add(two, 25);
        assertThat(at(answers, 20)).isEqualTo(two);
        assertThat(at(answers, 25)).isEqualTo(one);
        // before all
        answers.add(two, -5);
        assertThat(at(answers, -9)).isEqualTo(two);
    }

    private static PgMessage at(TimedAnswers.OfSession answers, long position) {
        return Objects.requireNonNull(answers.at(position)).answer();
    }

    /** Only the first of equal answers is announced with its bytes. */
    @Test
    void answer_countsWithTheTimesAtWhichItMayComeAgain() {
        TimedAnswers.OfSession answers = new TimedAnswers.OfSession();
        answers.add(new PgWriter().string("SET").toMessage('C'), 1);
        long announced = answers.bytes();
        for (int i = 2; i < 1000; i++) {
            answers.add(new PgWriter().string("SET").toMessage('C'), i);
        }

        assertThat(answers.bytes()).isEqualTo(announced).isGreaterThan(MOST_TIMES * 20);
    }
}
