package dev.understudy.divergence.content;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class JsonScannerTest {
    private static final String JSON =
            "{\"a\": [1, -2.5e+3, 0, \"x\\u00e9\\n\", true, {}, [], null],\n\"b\":{\"c\":false,\"d\":\"é\"}}";

    @Test
    void whateverItTakes_isAJsonText_andTheOtherWayRound() {
        int taken = 0;
        for (int seed = 0; seed < 60_000; seed++) {
            Random random = new Random(seed);
            byte[] text = JSON.getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(3); i > 0; i--) {
                text[random.nextInt(text.length)] = (byte) "{}[]\",:0-eE+.\\ut \n7f\1".charAt(random.nextInt(21));
            }
            boolean takes = takes(text);
            boolean parsed = JsonText.parse(text) != null;
            taken += takes ? 1 : 0;
            String what = "seed " + seed + ": " + new String(text, StandardCharsets.UTF_8);
            if (takes && !parsed && JsonText.isUtf8(text)) {
                assertThat(what).as("only a name that stands twice").matches("(?s).*(\"[^\"]*\")\\s*:.*\\1\\s*:.*");
            }
            if (parsed && !takes) {
                assertThat(what).as("only a name that is spelled with escapes").containsPattern("\\\\");
            }
        }
        assertThat(taken).isBetween(10_000, 59_000);
    }

    @Test
    void tokens_standWhereTheyStand() {
        JsonScanner scanner = new JsonScanner(" {\"ab\" : [\"c\\n\", -1.5]} ".getBytes(StandardCharsets.UTF_8));

        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.BEGIN_OBJECT);
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.NAME);
        assertThat(scanner.string()).isEqualTo("ab");
        assertThat(scanner.start()).isEqualTo(2);
        assertThat(scanner.end()).isEqualTo(6);
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.BEGIN_ARRAY);
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.TEXT);
        assertThat(scanner.escaped()).isTrue();
        assertThat(scanner.depth()).isEqualTo(2);
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.NUMBER);
        assertThat(scanner.spelled()).isEqualTo("-1.5");
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.END_ARRAY);
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.END_OBJECT);
        assertThat(scanner.next()).isEqualTo(JsonScanner.Token.END);
    }

    @Test
    void deepTexts_andTruncatedOnes_areWrong() {
        int most = JsonText.MAX_DEPTH;
        assertThat(takes(("[".repeat(most) + "]".repeat(most)).getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(takes(("[".repeat(most + 1) + "]".repeat(most + 1)).getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        for (int length = 0; length < JSON.length(); length++) {
            assertThat(takes(JSON.substring(0, length).getBytes(StandardCharsets.UTF_8)))
                    .as("%d", length)
                    .isFalse();
        }
    }

    private static boolean takes(byte[] text) {
        JsonScanner scanner = new JsonScanner(text);
        JsonScanner.Token token = scanner.next();
        while (token != JsonScanner.Token.END && token != JsonScanner.Token.WRONG) {
            token = scanner.next();
        }
        return token == JsonScanner.Token.END;
    }
}
