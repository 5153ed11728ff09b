package dev.understudy.aggregator.match;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TraceIdTest {
    private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    @ParameterizedTest
    @ValueSource(strings = {"00-" + ID + "-00f067aa0ba902b7-01", "cc-" + ID + "-00f067aa0ba902b7-01-what-comes-later"})
    void traceparent_namesItsTrace(String traceparent) {
        assertThat(TraceId.ofTraceparent(traceparent)).hasToString(ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-1-1-01",
                "ff-" + ID + "-00f067aa0ba902b7-01",
                "00-" + ID + "-00f067aa0ba902b7-01-more",
                "cc-" + ID + "-00f067aa0ba902b7-01.what",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00_" + ID + "-00f067aa0ba902b7-01"
            })
    void whatIsNoTraceparent_namesNone(String traceparent) {
        assertThat(TraceId.ofTraceparent(traceparent)).isNull();
    }

    @Test
    void anyText_isTaken() {
        String alphabet = "0123456789abcdefABCDEF--\u0000é";
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(70);
            for (int i = 0; i < length; i++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            TraceId id = TraceId.ofTraceparent(text);
            assertThat(id == null || text.indexOf(id.toString()) == 3)
                    .as("seed %d: %s", seed, text)
                    .isTrue();
        }
    }
}
