package dev.understudy.agent.leak;

import dev.understudy.agent.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LiveObjectsTest {
    private static final String HISTOGRAM = """
             num     #instances         #bytes  class name (module)
            -------------------------------------------------------
               1:         12345        1975200  [B (java.base@17.0.15)
               2:           700          16800  com.shop.Cart
               3:           300           7200  com.shop.Cart
               4:           200           7200  [[Lcom.shop.Cart;
               5:            99           7200  com.shop.Few
            Total         13644        2013600
            """;

    private static final class Kept {}

    @Test
    void thisJvmsObjects_areCounted() throws Exception {
        List<Kept> kept = new ArrayList<>();
        for (int i = 0; i < 12_345; i++) {
            kept.add(new Kept());
        }
        Map<String, Long> counts = LiveObjects.count();

        assertThat(counts).containsEntry(Kept.class.getName(), (long) kept.size());
        assertThat(counts.get("java.lang.String")).isGreaterThan(1000);
        assertThat(counts.get("byte[]")).isGreaterThan(1000);
    }

    @Test
    void namesOfSeveralLoaders_areOne_andArraysAreSpelledAsInSourceCode() {
        assertThat(LiveObjects.parse(HISTOGRAM))
                .containsOnly(
                        Map.entry("byte[]", 12_345L),
                        Map.entry("com.shop.Cart", 1000L),
                        Map.entry("com.shop.Cart[][]", 200L));
    }

    @Test
    void anythingElse_isPassedOver() {
        for (int seed = 0; seed < Fuzz.rounds(5_000); seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(HISTOGRAM);
            for (int i = random.nextInt(20); i >= 0; i--) {
                text.setCharAt(random.nextInt(text.length()), ":0[L; \n9x".charAt(random.nextInt(9)));
            }
            assertThat(LiveObjects.parse(text.toString()))
                    .as("seed %d", seed)
                    .allSatisfy((name, count) -> assertThat(count).isGreaterThanOrEqualTo(LiveObjects.FEWEST));
        }
    }
}
