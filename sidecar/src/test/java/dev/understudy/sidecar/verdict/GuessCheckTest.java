package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GuessCheckTest {
    private final List<Integer> heard = new ArrayList<>();
    private final OutgoingStore told = new OutgoingStore();
    private long now;
    private final GuessCheck check = new GuessCheck(told, () -> now);

    @Test
    void question_isAnsweredByTheAggregatorsWord_once() {
        check.ask(7, heard::add);
        check.said(outgoing(8, 5));
        assertThat(heard).isEmpty();

        check.said(outgoing(7, 3));
        check.said(outgoing(7, 1));
        assertThat(heard).containsExactly(3);
    }

    /** A lane that stands still for a moment asks after the aggregator has said it. */
    @Test
    void question_isAnsweredByWhatWasSaidBefore() {
        Outgoing before = outgoing(7, 3);
        told.add(before);
        check.said(before);

        check.ask(7, heard::add);
        check.ask(8, heard::add);

        assertThat(heard).containsExactly(3);
    }

    @Test
    void questionThatNobodyAnswers_hasNoGuesses_afterAWhile() {
        check.ask(7, heard::add);
        now = GuessCheck.PATIENCE - 1;
        check.ask(8, guesses -> heard.add(-8));
        check.look();
        assertThat(heard).isEmpty();

        now = GuessCheck.PATIENCE;
        check.look();
        assertThat(heard).containsExactly(0);
    }

    @Test
    void questionsBeyondTheRoom_makeTheOldestGo() {
        for (int i = 0; i < GuessCheck.MOST + 10; i++) {
            int exchange = i;
            check.ask(i, guesses -> heard.add(exchange));
        }
        assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void end_leavesNoQuestionOpen() {
        check.ask(7, heard::add);
        check.close();
        check.ask(8, heard::add);
        assertThat(heard).containsExactly(0, 0);
    }

    /** Whoever is told may ask again. */
    @Test
    void callback_mayAsk() {
        check.ask(7, guesses -> check.ask(8, heard::add));
        check.said(outgoing(7, 1));
        check.said(outgoing(8, 2));
        assertThat(heard).containsExactly(2);
    }

    private static Outgoing outgoing(long exchange, int guesses) {
        return new Outgoing(exchange, VerdictKind.SAME, null, 1, 1, List.of(), guesses);
    }
}
