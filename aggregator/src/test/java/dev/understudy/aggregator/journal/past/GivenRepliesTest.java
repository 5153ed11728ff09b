package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.Reruns;
import dev.understudy.aggregator.match.TraceId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GivenRepliesTest {
    private static final Form FORM = Form.of("GET", "GET /");
    private static final long BYTES = 2 * Recorded.OVERHEAD + FORM.textBytes() + 100;

    private final GivenReplies<Reply> given = new GivenReplies<>(20 * BYTES);
    private int reruns;

    private record Reply(long id, long bytes, boolean isOpen) implements RecordedReply {
        @Override
        public long answer() {
            return id;
        }
    }

    /** However many exchanges there are, and whatever they were given. */
    @Test
    void bytesAreBounded_andTheEarliestExchangeIsForgotten() {
        for (long exchange = 1; exchange <= 1_000; exchange++) {
            give(exchange, 0, new Reply(exchange, 100, false));
        }

        assertThat(next(990)).isNull();
        assertThat(next(991)).isEqualTo(991);
        assertThat(next(1_000)).isEqualTo(1_000);
    }

    /** A failing one is wanted for longer than a thousand good ones that came since. */
    @Test
    void whatSomebodyMayWant_outlivesTheNewest_andIsBoundedItself() {
        for (long exchange = 1; exchange <= 1_000; exchange++) {
            give(exchange, 0, new Reply(exchange, 100, false));
            if (exchange % 100 == 50) {
                given.keep(exchange, 0);
            }
        }
        assertThat(next(50)).isEqualTo(50);
        assertThat(next(950)).isEqualTo(950);

        give(2_001, 0, new Reply(2_001, 100, false));
        given.keep(2_001, 0);
        given.keep(2_001, 0);
        given.keep(7_000, 0);
        assertThat(next(2_001)).isEqualTo(2_001);
        assertThat(next(50)).isNull();
        give(950, 0, new Reply(951, 100, false));
        Reruns.Rerun again = new Reruns.Rerun(new TraceId(9, 9), 950, 0);
        assertThat(given.next(again, FORM)).isNotNull();
        assertThat(given.next(again, FORM)).as("what came later").isNotNull();
    }

    @Test
    void oneExchangeAlone_isBoundedToo() {
        for (int i = 0; i < 11; i++) {
            give(1, 0, new Reply(i, 100, false));
        }

        assertThat(next(1)).as("too much for one: nothing of it is kept").isNull();
        give(1, 0, new Reply(11, 100, false));
        assertThat(next(1)).as("the last isn't the first").isNull();
        give(2, 0, new Reply(7, 100, false));
        assertThat(next(2)).isEqualTo(7);
    }

    @Test
    void whatIsTooLargeOrNotWhole_isntKept() {
        give(1, 0, new Reply(1, 10 * BYTES, false));
        give(1, 0, new Reply(2, 100, true));

        give(1, 0, new Reply(3, 100, false));
        give(1, 0, new Reply(3, 100, false));

        Reruns.Rerun again = new Reruns.Rerun(new TraceId(9, 1), 1, 0);
        assertThat(given.next(again, FORM)).isNull();
        assertThat(given.next(again, FORM)).isNull();
        assertThat(given.next(again, FORM)).as("in its own place").isNotNull();
        assertThat(given.next(again, FORM)).as("once").isNull();
    }

    @Test
    void numbersOfAnotherRun_areOthers() {
        give(1, 0, new Reply(1, 100, false));
        Reruns.Rerun earlier = new Reruns.Rerun(new TraceId(1, 1), 1, 0);
        assertThat(given.next(earlier, FORM)).isNotNull();
        give(2, 1, new Reply(2, 100, false));

        assertThat(given.next(new Reruns.Rerun(new TraceId(1, 2), 1, 0), FORM)).isNull();
        assertThat(given.next(new Reruns.Rerun(new TraceId(1, 3), 1, 1), FORM)).isNull();
        assertThat(given.next(new Reruns.Rerun(new TraceId(1, 4), 2, 1), FORM)).isNotNull();
    }

    private void give(long exchange, int run, Reply reply) {
        given.given(exchange, run, reply.id(), FORM, recorded(reply));
    }

    private @Nullable Long next(long exchange) {
        Recorded<Reply> reply = given.next(new Reruns.Rerun(new TraceId(0, ++reruns), exchange, 0), FORM);
        return reply == null ? null : Long.valueOf(reply.reply().id());
    }

    private static Recorded<Reply> recorded(Reply reply) {
        return new Recorded<>(reply.id(), FORM, 1, 0, 1, reply);
    }
}
