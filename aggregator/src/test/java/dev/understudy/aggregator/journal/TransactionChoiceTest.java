package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.Transaction;
import dev.understudy.aggregator.match.Inbound;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.aggregator.match.TimeSpan;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which of several transactions of production's a debug transaction has its replies from. Times are milliseconds. */
class TransactionChoiceTest {
    private static final long MILLI = 1_000_000;
    private static final Form MAX = Form.of("select", "SELECT max(id) FROM t");
    private static final Form INSERT = Form.of("insert", "INSERT INTO t DEFAULT VALUES");

    private final EmbeddedChannel caller = new EmbeddedChannel();
    private final List<Match.Hit<ReplyText>> hits = new ArrayList<>();
    private long now = 10_000 * MILLI;
    private final InboundExchanges inbound = new InboundExchanges(() -> now);
    private final Journal<ReplyText> journal =
            new Journal<>(new JournalBounds(1 << 20, Duration.ofMinutes(1), false), () -> now, inbound);
    private final Transaction<String> first = new Transaction<>();
    private final Transaction<String> second = new Transaction<>();

    @AfterEach
    void close() {
        caller.finishAndReleaseAll();
    }

    /** Three at once: the statements of production's transactions alternate, debug's come in another order. */
    @Test
    void transactionsReplies_comeFromOneTransaction() {
        recorded(MAX, "5 of the first", first, 10);
        recorded(MAX, "5 of the second", second, 11);
        recorded(INSERT, "6 of the second", second, 12);
        recorded(INSERT, "6 of the first", first, 13);

        assertThat(take(MAX, null)).isEqualTo("5 of the first");
        assertThat(take(INSERT, first)).isEqualTo("6 of the first");
        assertThat(take(MAX, null)).isEqualTo("5 of the second");
        assertThat(take(INSERT, second)).isEqualTo("6 of the second");
        assertThat(hits)
                .extracting(hit -> reason(hit).basis())
                .containsExactly(
                        MatchReason.ORDER, MatchReason.TRANSACTION, MatchReason.ORDER, MatchReason.TRANSACTION);
        assertThat(reason(hits.get(1)).guessed()).isFalse();
    }

    @Test
    void callTooFew_doesNotShiftTheOthers() {
        recorded(MAX, "5", first, 10);
        recorded(MAX, "6", first, 11);
        recorded(MAX, "7", second, 12);

        assertThat(take(MAX, null)).isEqualTo("5");
        assertThat(take(MAX, null)).isEqualTo("7");
    }

    @Test
    void callTooMany_doesNotShiftTheOthers() {
        Transaction<String> third = new Transaction<>();
        recorded(MAX, "5", first, 10);
        recorded(MAX, "6", second, 11);
        recorded(INSERT, "7 of the first", first, 12);
        recorded(INSERT, "7 of the second", second, 13);
        recorded(INSERT, "left over", third, 14);
        recorded(MAX, "8", third, 15);
        third.given();
        first.end(Transaction.Outcome.COMMITTED, null);

        assertThat(take(MAX, null)).isEqualTo("5");
        assertThat(take(INSERT, first)).isEqualTo("7 of the first");
        assertThat(take(INSERT, first)).as("one more").isEqualTo("left over");
        assertThat(take(MAX, null)).isEqualTo("6");
        assertThat(take(INSERT, second)).isEqualTo("7 of the second");
    }

    /** A call more in a transaction takes another's reply, but not the other transaction. */
    @Test
    void callTooMany_leavesTheOtherTransactionWhole() {
        recorded(MAX, "5", first, 10);
        recorded(MAX, "6", second, 11);
        recorded(MAX, "7", second, 12);
        first.end(Transaction.Outcome.COMMITTED, null);

        assertThat(take(MAX, null)).isEqualTo("5");
        assertThat(take(MAX, first)).isEqualTo("6");
        assertThat(reason(hits.get(1)).guessed()).isTrue();
        assertThat(take(MAX, null)).isEqualTo("7");
    }

    @Test
    void nextStatementOfAnOpenTransaction_isWaitedFor() {
        recorded(MAX, "5", first, 10);
        recorded(INSERT, "6 of the second", second, 11);

        take(MAX, null);
        assertThat(take(INSERT, first)).isNull();
        recorded(INSERT, "6 of the first", first, 12);
        caller.runPendingTasks();
        assertThat(hits.get(1).recorded().reply().text()).isEqualTo("6 of the first");
    }

    @Test
    void nextStatementOfATransactionThatIsOver_isAnothers() {
        recorded(MAX, "5", first, 10);
        take(MAX, null);
        assertThat(take(INSERT, first)).isNull();
        recorded(INSERT, "6 of the second", second, 11);
        caller.runPendingTasks();
        assertThat(hits).hasSize(1);

        first.end(Transaction.Outcome.COMMITTED, null);
        now += 1_000 * MILLI;
        caller.advanceTimeBy(1, TimeUnit.SECONDS);
        caller.runScheduledPendingTasks();
        caller.runPendingTasks();
        assertThat(hits.get(1).recorded().reply().text()).isEqualTo("6 of the second");
        assertThat(reason(hits.get(1)).doubtful()).isTrue();
    }

    /** The first statement alone would fit both requests, the whole transaction one only. */
    @Test
    void wholeTransaction_saysWhoseItIs() {
        recorded(MAX, "other", null, 11, 11);
        recorded(MAX, "5", first, 12, 13);
        recorded(INSERT, "6", first, 18, 19);
        tell(
                new Inbound(1, null, null, new TimeSpan(10 * MILLI, 15 * MILLI), null, null),
                new Inbound(2, null, null, new TimeSpan(12 * MILLI, 20 * MILLI), 9_000 * MILLI, null));

        assertThat(takeAtOnce(MAX)).isEqualTo("5");
        assertThat(reason(hits.get(0)).basis()).isEqualTo(MatchReason.INTERVAL);
        assertThat(reason(hits.get(0)).guessed()).isFalse();
    }

    @Test
    void transactionBeyondTheReply_isNotThatRequests() {
        recorded(MAX, "5", first, 12, 13);
        recorded(INSERT, "6", first, 18, 19);
        recorded(MAX, "7", second, 13, 14);
        tell(new Inbound(1, null, null, new TimeSpan(10 * MILLI, 15 * MILLI), 9_000 * MILLI, null));

        assertThat(takeAtOnce(MAX)).isEqualTo("7");
    }

    private void tell(Inbound... exchanges) {
        inbound.told(List.of(exchanges), 0);
    }

    private void recorded(Form form, String text, @Nullable ReplyGroup group, long at) {
        recorded(form, text, group, at, at);
    }

    private void recorded(Form form, String text, @Nullable ReplyGroup group, long from, long to) {
        journal.add(form, 1, from * MILLI, to * MILLI, new ReplyText(text, group));
    }

    private @Nullable String takeAtOnce(Form form) {
        return take(form, null, 0);
    }

    private @Nullable String take(Form form, @Nullable ReplyGroup group) {
        return take(form, group, TimeUnit.SECONDS.toNanos(60));
    }

    private @Nullable String take(Form form, @Nullable ReplyGroup group, long waitNanos) {
        int before = hits.size();
        journal.take(form, group, waitNanos, caller.eventLoop(), match -> hits.add(hit(match)));
        return hits.size() == before
                ? null
                : hits.get(before).recorded().reply().text();
    }

    private static Reason reason(Match.Hit<ReplyText> hit) {
        return Objects.requireNonNull(hit.reason());
    }

    private static Match.Hit<ReplyText> hit(Match<ReplyText> match) {
        assertThat(match).isInstanceOf(Match.Hit.class);
        return (Match.Hit<ReplyText>) match;
    }
}
