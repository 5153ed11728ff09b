package dev.understudy.divergence.content;

import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ValueWordsTest {
    @ParameterizedTest
    @CsvSource({
        "101.00, {\"price\":101}",
        "0101, 101.0",
        "alice, <a>alice</a>",
        "2026-11-26 13:53:01.123456+00, \"2026-11-26T13:53:01.123456Z\"",
        "order_77, /orders/order_77?x",
        "Zürich, \"Zürich\"",
    })
    void value_isTheSameHoweverItIsWritten(String recorded, String shown) {
        assertThat(words(shown)).containsAll(words(recorded)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"101.01, 101.1", "1010, 101", "alice, malice", "100, 1.001", "12345678, 12345679"})
    void otherValue_isAnother(String one, String other) {
        assertThat(words(one)).isNotEmpty().doesNotContainAnyElementsOf(words(other));
    }

    @ParameterizedTest
    @CsvSource({"7", "12", "'.5'", "a b c", "'..'", "1.0", "'0000'", "'-'"})
    void shortOnes_areNone(String text) {
        assertThat(words(text)).isEmpty();
    }

    @Test
    void wordsBeyondTheRoom_makeItFull() {
        ValueWords words = new ValueWords();
        for (int i = 0; i < ValueWords.MOST; i++) {
            words.add("word" + i);
        }
        assertThat(words.full()).isFalse();
        words.add("word7");
        assertThat(words.full()).isFalse();
        words.add("onemore");
        assertThat(words.full()).isTrue();
        assertThat(words.hashes()).hasSize(ValueWords.MOST);
        assertThat(WordFilter.of(words)).isNull();
    }

    @Test
    void anyBytes_areRead() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] text = new byte[random.nextInt(20)];
            random.nextBytes(text);
            for (int j = 0; j < text.length; j++) {
                text[j] = random.nextInt(3) == 0 ? text[j] : (byte) ".0019a".charAt(random.nextInt(6));
            }
            new ValueWords().add(text);
        }
    }

    @Test
    void filter_missesNone_andTakesFewOthers() {
        ValueWords words = new ValueWords();
        for (int i = 0; i < ValueWords.MOST; i++) {
            words.add("word" + i);
        }
        WordFilter filter = Objects.requireNonNull(
                WordFilter.decode(Objects.requireNonNull(WordFilter.of(words)).encoded()));
        assertThat(words.hashes()).allMatch(filter::mayContain);

        int wrong = 0;
        for (int i = 0; i < 10_000; i++) {
            for (long hash : words("other" + i)) {
                wrong += filter.mayContain(hash) ? 1 : 0;
            }
        }
        assertThat(wrong).isLessThan(60);
    }

    @ParameterizedTest
    @CsvSource({"''", "AAAA", "!!!", "\u00e4"})
    void textThatIsNoFilter_isNone(String text) {
        assertThat(WordFilter.decode(text)).isNull();
        assertThat(WordFilter.of(new ValueWords())).isNull();
    }

    private static Set<Long> words(String text) {
        ValueWords words = new ValueWords();
        words.add(text);
        return new HashSet<>(words.hashes());
    }
}
