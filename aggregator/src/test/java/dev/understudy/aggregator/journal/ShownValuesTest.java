package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.fact.Transaction;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.content.WordFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShownValuesTest {
    private static final Form FORM = Form.of("select", "SELECT price FROM items");

    private final List<JournalEntry<ReplyText>> candidates = new ArrayList<>();
    private final List<Set<Long>> others = new ArrayList<>();

    @Test
    void candidateWhoseValuesAreShown_isPicked() {
        candidate("7 shoes 101.00");
        candidate("7 shoes 102.00");
        candidate("7 shoes 103.00");

        assertThat(picked("{\"name\":\"shoes\",\"price\":102.0}")).isEqualTo("7 shoes 102.00");
    }

    @Test
    void candidates_arePicked_onlyIfOneAloneIsShown() {
        candidate("7 shoes 101.00");
        candidate("7 shoes 102.00");

        assertThat(picked("{\"name\":\"shoes\"}")).isNull();
        assertThat(picked("{\"price\":102.0,\"before\":101.0}")).isNull();
        assertThat(picked(null)).isNull();
    }

    /** Part of what a service reads is shown, and the least that tells of it is half. */
    @Test
    void candidateOfWhichLittleIsShown_isNotPicked() {
        candidate("alpha1 beta11 gamma1 delta1");
        candidate("alpha2 beta22 gamma2 delta2");

        assertThat(picked("alpha1 beta11")).isEqualTo("alpha1 beta11 gamma1 delta1");
        assertThat(picked("alpha1")).isNull();
    }

    @Test
    void candidatesThatSayTheSame_areAllRight() {
        assertThat(new ShownValues<>(candidates, others).saySame()).isFalse();
        candidate("7 shoes 101.00");
        candidate("7 shoes 101.00");
        assertThat(new ShownValues<>(candidates, others).saySame()).isTrue();

        candidate("7 shoes 102.00");
        assertThat(new ShownValues<>(candidates, others).saySame()).isFalse();
        assertThat(picked("101")).isEqualTo("7 shoes 101.00");
    }

    /** What varies is known by replies to the same request that others have got. */
    @Test
    void lastCandidate_isPickedByWhatVaries() {
        candidate("7 shoes 101.00");
        assertThat(picked("shoes 101")).isNull();

        ValueWords other = new ValueWords();
        other.add("7 shoes 100.00");
        others.add(other.hashes());
        assertThat(picked("shoes 101")).isEqualTo("7 shoes 101.00");
        assertThat(picked("shoes 102")).isNull();
    }

    /** What the next statements of a transaction say isn't known from its first. */
    @Test
    void transactions_areTheSameOnlyIfAllOfThemIs() {
        Transaction<String> one = new Transaction<>();
        Transaction<String> other = new Transaction<>();
        Transaction<String> third = new Transaction<>();
        candidate("7 shoes 101.00", one, "");
        candidate("7 shoes 101.00", other, "");
        one.recorded(1, 2, 17);
        other.recorded(1, 2, 17);
        third.recorded(1, 2, 17);
        third.recorded(3, 4, 18);
        assertThat(new ShownValues<>(candidates, others).saySame())
                .as("more may come")
                .isFalse();

        List.of(one, other, third).forEach(each -> each.end(Transaction.Outcome.COMMITTED, null));
        assertThat(new ShownValues<>(candidates, others).saySame()).isTrue();
        candidate("7 shoes 101.00", third, "");
        assertThat(new ShownValues<>(candidates, others).saySame()).isFalse();
    }

    @Test
    void candidateThatAnotherExchangeShows_isLeftToThat() {
        candidate("7 shoes 101.00");
        candidate("7 shoes 102.00");
        candidate("7 shoes 103.00");
        WordFilter claimed = filter("101 103");

        assertThat(unclaimed(claimed)).isEqualTo("7 shoes 102.00");
        assertThat(unclaimed(filter("shoes"))).isEqualTo("7 shoes 101.00");
        assertThat(unclaimed(filter("101 102 103"))).isEqualTo("7 shoes 101.00");
    }

    /** A service that raises a price shows the new one, which another one has read. */
    @Test
    void valuesThatAreMadeOfWhatWasRead_countWithTheTransaction() {
        candidate("100.00", new Transaction<String>(), "UPDATE items SET price = ? [101.00]");
        candidate("101.00", new Transaction<String>(), "UPDATE items SET price = ? [102.00]");
        assertThat(picked("now 101")).as("one of both").isNull();
        assertThat(picked("now 102")).isEqualTo("101.00");
    }

    /** Two read the same and write the same, and one of them was too late. */
    @Test
    void transactionsWithEqualValues_andOtherOutcomes_areNotTheSame() {
        Transaction<String> kept = new Transaction<>();
        Transaction<String> late = new Transaction<>();
        candidate("100.00", kept, "price = 101");
        candidate("100.00", late, "price = 101");
        candidate("99.00", new Transaction<String>(), "price = 100");
        kept.recorded(1, 2, 17);
        late.recorded(1, 2, 18);
        List.of(kept, late).forEach(each -> each.end(Transaction.Outcome.COMMITTED, null));

        assertThat(picked("now 101")).isNull();
    }

    /** Values of its first statements weren't wanted yet: what it showed may be among them. */
    @Test
    void transactionThatIsKnownInPart_keepsAllFromBeingPicked() {
        Transaction<String> part = new Transaction<>();
        candidate("100.00", part, "price = ");
        candidate("101.00", new Transaction<String>(), "price = 102");
        assertThat(picked("now 101")).isEqualTo("101.00");

        part.recorded(1, 2, 17);
        part.recorded(3, 4, 18);
        assertThat(picked("now 101")).isNull();
    }

    @Test
    void candidateThatIsAlone_isNotSaidToBeTheRightOne() {
        candidate("7 shoes 101.00");
        assertThat(new ShownValues<>(candidates, others).saySame()).isFalse();
    }

    @Test
    void replyThatIsTooLongToBeRead_keepsAllFromBeingPicked() {
        candidate("7 shoes 101.00");
        candidate("102 ".repeat(20_000));
        assertThat(picked("101")).isNull();
    }

    @Test
    void candidateWithTooManyValues_isNotPicked() {
        candidate("7 shoes 101.00");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 2 * ValueWords.MOST; i++) {
            many.append(" word").append(i);
        }
        candidate(many.toString());

        assertThat(picked("101")).isNull();
    }

    private void candidate(String text) {
        candidate(text, null, "");
    }

    private void candidate(String text, @Nullable ReplyGroup group, String rest) {
        if (group != null) {
            ValueWords words = new ValueWords();
            words.add(text);
            words.add(rest);
            group.recorded(words);
        }
        long number = 1L + candidates.size();
        candidates.add(new JournalEntry<>(
                new ReplyQueue<>(FORM), new Recorded<>(number, FORM, 1, number, number, new ReplyText(text, group))));
    }

    private String unclaimed(WordFilter claimed) {
        JournalEntry<ReplyText> left =
                new ShownValues<>(candidates, others).unclaimed((candidate, showing) -> showing.test(claimed));
        return Objects.requireNonNull(left.reply).text();
    }

    private static WordFilter filter(String text) {
        ValueWords words = new ValueWords();
        words.add(text);
        return Objects.requireNonNull(WordFilter.of(words));
    }

    private @Nullable String picked(@Nullable String shown) {
        ValueWords words = new ValueWords();
        words.add(shown == null ? "" : shown);
        JournalEntry<ReplyText> picked =
                new ShownValues<>(candidates, others).pick(shown == null ? null : WordFilter.of(words));
        return picked == null || picked.reply == null ? null : picked.reply.text();
    }
}
