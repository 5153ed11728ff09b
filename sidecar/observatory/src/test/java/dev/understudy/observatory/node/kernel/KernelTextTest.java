package dev.understudy.observatory.node.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class KernelTextTest {
    private static KernelText of(String content) {
        KernelText text = new KernelText();
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, text.room(bytes.length), 0, bytes.length);
        text.begin(bytes.length);
        return text;
    }

    @Test
    void numbers_areReadOneAfterAnother() {
        KernelText text = of("cpu  1 22\t333\n");
        assertThat(text.nextLine()).isTrue();
        assertThat(text.skipWord()).isTrue();
        assertThat(text.number()).isEqualTo(1);
        assertThat(text.number()).isEqualTo(22);
        assertThat(text.number()).isEqualTo(333);
        assertThat(text.number()).isEqualTo(KernelText.NONE);
        assertThat(text.nextLine()).isFalse();
    }

    @Test
    void whatIsNoNumber_isNone_andTheNextIsReadAllTheSame() {
        KernelText text = of("-1 4x 99999999999999999999 9223372036854775807 5\n");
        text.nextLine();
        assertThat(text.number()).isEqualTo(KernelText.NONE);
        assertThat(text.number()).isEqualTo(KernelText.NONE);
        assertThat(text.number()).isEqualTo(KernelText.NONE);
        assertThat(text.number()).isEqualTo(Long.MAX_VALUE);
        assertThat(text.number()).isEqualTo(5);
    }

    @Test
    void lineWithoutEnd_doesNotExist() {
        KernelText text = of("a 1\nb 2");
        assertThat(text.nextLine()).isTrue();
        assertThat(text.nextLine()).isFalse();
        assertThat(text.number()).isEqualTo(KernelText.NONE);
    }

    @Test
    void nameOfAProcess_mayHoldAnything() {
        KernelText text = of("12 (a) b) (c) S 1 2\n");
        text.nextLine();
        assertThat(text.skipPastLast(')')).isTrue();
        text.skipWords(1);
        assertThat(text.number()).isEqualTo(1);
    }

    @Test
    void anyTextAndAnyCalls_endWithoutAnException() {
        byte[][] words = KernelSource.words("a", "cpu", "1");
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            StringBuilder content = new StringBuilder();
            for (int i = random.nextInt(300); i > 0; i--) {
                content.append("a1 \n\t(:)9\0cpu".charAt(random.nextInt(13)));
            }
            KernelText text = of(content.toString());
            for (int i = 0; i < 200; i++) {
                switch (random.nextInt(9)) {
                    case 0 -> text.nextLine();
                    case 1 -> assertThat(text.number()).isGreaterThanOrEqualTo(KernelText.NONE);
                    case 2 -> text.skipWords(random.nextInt(5));
                    case 3 -> assertThat(text.wordIn(words)).isBetween(-1, 2);
                    case 4 -> text.skipPast(':');
                    case 5 -> text.skipPastLast(')');
                    case 6 -> assertThat(text.word()).as("seed %d", seed).doesNotContain("\n");
                    case 7 -> text.line().number();
                    default -> text.skip(words[1]);
                }
            }
        }
    }
}
