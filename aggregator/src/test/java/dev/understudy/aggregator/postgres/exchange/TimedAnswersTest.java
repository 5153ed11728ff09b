package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.PgWriter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimedAnswersTest {
    private static final int MOST_TIMES = 64;

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
