package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.match.TimeSpan;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DoubtfulRepliesTest {
    private static final Form FORM = Form.of("select", "SELECT 1");

    private final DoubtfulReplies replies = new DoubtfulReplies();

    @Test
    void reply_isRememberedByItsTime() {
        add(FORM, 10, Set.of(1L));

        assertThat(replies.anyWithin(FORM, new TimeSpan(5, 15))).isTrue();
        assertThat(replies.anyWithin(FORM, new TimeSpan(11, 15))).isFalse();
        assertThat(replies.anyWithin(Form.of("select", "SELECT 2"), new TimeSpan(5, 15)))
                .isFalse();
    }

    @Test
    void repliesWithoutEnd_areForgotten_theOldestFirst() {
        for (int i = 0; i < 2_000; i++) {
            add(FORM, i, Set.of((long) i));
        }

        assertThat(replies.anyWithin(FORM, new TimeSpan(0, 1_000))).isFalse();
        assertThat(replies.anyWithin(FORM, new TimeSpan(1_990, 2_000))).isTrue();
        assertThat(replies.words(FORM)).containsExactly(Set.of(1_998L), Set.of(1_999L));
    }

    @Test
    void formsWithoutEnd_areForgotten_theOldestFirst() {
        for (int i = 0; i < 2_000; i++) {
            add(Form.of("select", "SELECT " + i), 10, Set.of());
        }

        assertThat(replies.anyWithin(Form.of("select", "SELECT 0"), new TimeSpan(0, 100)))
                .isFalse();
        assertThat(replies.anyWithin(Form.of("select", "SELECT 1999"), new TimeSpan(0, 100)))
                .isTrue();
    }

    private void add(Form form, long at, Set<Long> words) {
        Recorded<ReplyText> recorded = new Recorded<>(1, form, 1, at, at, new ReplyText("", null));
        replies.add(new JournalEntry<>(new ReplyQueue<>(form), recorded), words);
    }
}
