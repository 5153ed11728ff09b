package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.Transaction;
import dev.understudy.aggregator.match.Inbound;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.content.WordFilter;
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

/**
 * Production's replies say which of several upstream replies was whose, where overlapping requests ask for the same and
 * their calls name no trace. Times are milliseconds.
 */
class ValuesChoiceTest {
    private static final long MILLI = 1_000_000;
    private static final Form UPDATE = Form.of("update", "UPDATE items SET price = 101");
    private static final Form FORM = Form.of("select", "SELECT price FROM items");

    private final EmbeddedChannel caller = new EmbeddedChannel();
    private final List<Match.Hit<ReplyText>> hits = new ArrayList<>();
    private long now = 10_000 * MILLI;
    private final InboundExchanges inbound = new InboundExchanges(() -> now);
    private final Journal<ReplyText> journal =
            new Journal<>(new JournalBounds(1 << 20, Duration.ofMinutes(1), false), () -> now, inbound);

    @AfterEach
    void close() {
        caller.finishAndReleaseAll();
    }

    @Test
    void replyWhoseValuesProductionShowed_isTheExchanges() {
        recorded("price 101", 12);
        recorded("price 102", 13);
        recorded("price 103", 14);
        tell(exchange(1, 10, 20, "costs 102"), exchange(2, 10, 21, "costs 103"), exchange(3, 10, 22, "costs 101"));

        assertThat(List.of(take(1), take(2), take(3))).containsExactly("price 102", "price 103", "price 101");
        assertThat(hits).extracting(hit -> reason(hit).guessed()).containsOnly(false);
        assertThat(reason(hits.get(0)).basis()).isEqualTo(MatchReason.VALUES);
    }

    /** What the other two show leaves one, which is still no more than likely. */
    @Test
    void replyThatOthersShow_isLeftToThem() {
        recorded("price 101", 12);
        recorded("price 102", 13);
        recorded("price 103", 14);
        tell(exchange(1, 10, 20, "thanks"), exchange(2, 10, 21, "costs 103"), exchange(3, 10, 22, "costs 101"));

        assertThat(take(1)).isEqualTo("price 102");
        assertThat(reason(hits.get(0)).guessed()).isTrue();
    }

    @Test
    void requestWaits_untilProductionHasReplied() {
        recorded("price 101", 12);
        recorded("price 102", 13);
        tell(exchange(1, 10, null, null), exchange(2, 10, 21, "costs 101"));
        assertThat(take(1)).isNull();

        tell(exchange(1, 10, 20, "costs 102"));
        journal.lookAgain();
        caller.runPendingTasks();
        assertThat(hits.get(0).recorded().reply().text()).isEqualTo("price 102");
        assertThat(reason(hits.get(0)).guessed()).isFalse();
    }

    @Test
    void replyThatSaysTheSameAsAllOthers_isNoGuess() {
        recorded("price 100", 1);
        recorded("price 101", 12);
        recorded("price 101", 13);
        tell(exchange(1, 10, 20, "thanks"), exchange(2, 10, 21, "thanks"));

        assertThat(take(1)).isEqualTo("price 101");
        assertThat(reason(hits.get(0)).guessed()).isFalse();
    }

    /** The other one's guess may have taken it. */
    @Test
    void replyThatIsLeftAfterAGuess_isAGuess() {
        recorded("price 101", 12);
        recorded("price 102", 13);
        tell(exchange(1, 10, 20, "thanks"), exchange(2, 10, 21, "thanks"));

        take(1);
        take(2);
        assertThat(hits).extracting(hit -> reason(hit).guessed()).containsExactly(true, true);
    }

    /** Two exchanges show the same, and one has got the reply of the other, which lies beyond its own time. */
    @Test
    void replyWithTheValuesThatAreShown_isAsGoodAsItsOwn() {
        recorded("price 101", 12);
        recorded("price 102", 13);
        recorded("price 101", 24);
        tell(exchange(1, 10, 30, "costs 101"), exchange(2, 11, 20, "costs 101"), exchange(3, 11, 22, "costs 102"));

        assertThat(List.of(take(3), take(1), take(2))).containsExactly("price 102", "price 101", "price 101");
        assertThat(hits).extracting(hit -> reason(hit).guessed()).containsOnly(false);
    }

    /** A raised price is what its transaction has written, and the next one has read. */
    @Test
    void transactionThatReadWhatIsShown_isAGuess_ifItsPredecessorIsGone() {
        transaction("price 100", "price = 101", 12);
        transaction("price 101", "price = 102", 14);
        tell(exchange(1, 10, 30, "thanks"), exchange(2, 10, 31, "now 101"));

        assertThat(take(1)).isEqualTo("price 100");
        assertThat(take(2)).isEqualTo("price 101");
        assertThat(reason(hits.get(1)).guessed()).isTrue();
    }

    /** Both read the same and wrote the same, but the second was too late: the first statement doesn't tell. */
    @Test
    void transactionThatBeginsAsAnother_isAGuess_toTheLast() {
        Transaction<String> kept = new Transaction<>();
        Transaction<String> late = new Transaction<>();
        for (Transaction<String> each : List.of(kept, late)) {
            long at = each == kept ? 12 : 13;
            journal.add(FORM, 1, at * MILLI, at * MILLI, new ReplyText("name", each));
            journal.add(UPDATE, 1, at * MILLI, at * MILLI, new ReplyText(each == kept ? "1 row" : "no row", each));
            each.end(Transaction.Outcome.COMMITTED, null);
        }
        tell(exchange(1, 10, 20, "thanks"), exchange(2, 10, 21, "sorry"));

        take(1);
        take(2);
        assertThat(hits).extracting(hit -> reason(hit).guessed()).containsExactly(true, true);
    }

    @Test
    void doubt_asksForTheValues_forAWhile() {
        recorded("price 101", 12);
        recorded("price 102", 13);
        assertThat(inbound.wantsValues()).isFalse();
        tell(exchange(1, 10, 20, null), exchange(2, 10, 21, null));
        take(1);

        assertThat(inbound.wantsValues()).isTrue();
        now += TimeUnit.MINUTES.toNanos(2);
        assertThat(inbound.wantsValues()).isFalse();
    }

    /** What is still to come of one may show whose it is. */
    @Test
    void replyThatIsNotComplete_isGivenOnlyToWhomNoOtherCanBelong() {
        recorded("price 99", 1);
        recorded("price 100", 2);
        tell(exchange(1, 10, null, null), exchange(2, 10, null, null));
        PendingCall first = journal.begin(FORM);
        PendingCall second = journal.begin(FORM);
        ReplyOffer<ReplyText> one = offered(12);
        assertThat(take(2)).isNull();

        assertThat(one.withdraw()).isTrue();
        one.complete(new ReplyText("price 101", null), 14 * MILLI);
        recorded("price 102", 15);
        first.end();
        second.end();
        tell(exchange(1, 10, 20, "costs 101"), exchange(2, 10, 21, "costs 102"));
        journal.lookAgain();
        caller.runPendingTasks();

        assertThat(hits.get(0).recorded().reply().text()).isEqualTo("price 102");
        assertThat(take(1)).isEqualTo("price 101");
        assertThat(hits.get(1).recorded().id()).isEqualTo(one.id());
    }

    @Test
    void replyThatIsNotComplete_isGivenWhereThereIsNoOther_andCantBeWithdrawnThen() {
        tell(exchange(1, 10, null, null));
        journal.begin(FORM);
        ReplyOffer<ReplyText> offer = offered(12);

        assertThat(take(1)).isEqualTo("the begun one");
        assertThat(offer.withdraw()).isFalse();
        assertThat(journal.counts().unused()).isZero();
    }

    private ReplyOffer<ReplyText> offered(long at) {
        ReplyText begun = new ReplyText("the begun one", null, true);
        return journal.offer(FORM, 1, at * MILLI, at * MILLI, begun);
    }

    private void tell(Inbound... exchanges) {
        inbound.told(List.of(exchanges), 0);
    }

    private static Inbound exchange(int id, long from, @Nullable Integer to, @Nullable String shown) {
        ValueWords words = new ValueWords();
        words.add(shown == null ? "" : shown);
        return new Inbound(
                id,
                null,
                trace(id),
                new TimeSpan(from * MILLI, to == null ? Long.MAX_VALUE : to * MILLI),
                9_000 * MILLI,
                null,
                WordFilter.of(words));
    }

    private void recorded(String text, long at) {
        journal.add(FORM, 1, at * MILLI, at * MILLI, new ReplyText(text, null));
    }

    private void transaction(String read, String written, long at) {
        Transaction<String> transaction = new Transaction<>();
        ValueWords words = new ValueWords();
        words.add(read);
        words.add(written);
        transaction.recorded(words);
        journal.add(FORM, 1, at * MILLI, at * MILLI, new ReplyText(read, transaction));
        transaction.end(Transaction.Outcome.COMMITTED, null);
    }

    /** The debug JVM's call for that exchange. */
    private @Nullable String take(int exchange) {
        int before = hits.size();
        journal.take(
                FORM.in(trace(exchange)),
                TimeUnit.SECONDS.toNanos(60),
                caller.eventLoop(),
                match -> hits.add((Match.Hit<ReplyText>) match));
        return hits.size() == before
                ? null
                : hits.get(before).recorded().reply().text();
    }

    private static TraceId trace(int exchange) {
        return new TraceId(1, exchange);
    }

    private static Reason reason(Match.Hit<ReplyText> hit) {
        return Objects.requireNonNull(hit.reason());
    }
}
