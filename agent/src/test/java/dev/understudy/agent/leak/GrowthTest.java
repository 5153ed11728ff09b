package dev.understudy.agent.leak;

import dev.understudy.agent.Fuzz;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class GrowthTest {
    private final Growth growth = new Growth();

    @Test
    void classThatGrowsWithTheRequests_isSuspected_andByHowMuch() {
        Random random = new Random(1);
        for (int i = 1; i <= 12; i++) {
            growth.add(1000L * i, Map.of("Leaked", 5_000L + 30L * i, "Steady", 5_000L + random.nextInt(500)));
        }
        assertThat(growth.suspects(none -> Places.NONE))
                .extracting(Growing::className)
                .containsExactly("Leaked");
        Growing leaked = growth.suspects(none -> Places.NONE).get(0);
        assertThat(leaked.objects()).isEqualTo(5_360);
        assertThat(leaked.more()).isEqualTo(330);
        assertThat(leaked.perThousand()).isCloseTo(30, within(1e-6));
    }

    @Test
    void fewCounts_orFewObjects_areNoSuspicion() {
        for (int i = 1; i < 8; i++) {
            growth.add(1000L * i, Map.of("Leaked", 1000L * i, "Slow", 1000L + i));
        }
        assertThat(growth.suspects(none -> Places.NONE)).isEmpty();
        growth.add(8_000, Map.of("Leaked", 8_000L, "Slow", 1_008L));
        assertThat(growth.suspects(none -> Places.NONE))
                .extracting(Growing::className)
                .containsExactly("Leaked");
    }

    /** Trials are short: eight counts that all rise happen by chance in one class of 40 320. */
    @Test
    void eightCounts_areEnough_amongManyClassesThatChange() {
        assertOneIsFoundAmong(350, 5_000);
    }

    /** A JVM that serves has hundreds of those, and none of them could be told of. */
    @Test
    void classesThatChangeByLittle_dontHideOneThatGrows() {
        assertOneIsFoundAmong(2000, 90);
    }

    private void assertOneIsFoundAmong(int others, int apart) {
        Random random = new Random(2);
        for (int i = 1; i <= 8; i++) {
            Map<String, Long> objects = new HashMap<>(Map.of("Leaked", 5_000L + 30L * i));
            for (int c = 0; c < others; c++) {
                objects.put("C" + c, 10_000L + random.nextInt(apart));
            }
            growth.add(1000L * i, objects);
        }
        assertThat(growth.suspects(none -> Places.NONE))
                .extracting(Growing::className)
                .containsExactly("Leaked");
    }

    @Test
    void theInterval_hasTheTrueGrowthInAboutNineteenOfTwentyJvms() {
        int within = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Growth noisy = new Growth();
            for (int i = 1; i <= Growth.WINDOW; i++) {
                noisy.add(1000L * i, Map.of("Leaked", Math.round(10_000 + 40 * i + 60 * random.nextGaussian())));
            }
            Growing leaked = noisy.suspects(none -> Places.NONE).get(0);
            assertThat(leaked.perThousand()).as("seed %d", seed).isBetween(leaked.low(), leaked.high());
            within += leaked.low() <= 40 && 40 <= leaked.high() ? 1 : 0;
        }
        assertThat(within).isBetween(270, 299);
    }

    @Test
    void whatMayBecomeASuspect_isKnownBeforeItIsOne() {
        for (int i = 1; i <= 6; i++) {
            assertThat(growth.candidates()).isEmpty();
            growth.add(1000L * i, Map.of("Leaked", 1000L * i, "More", 2000L * i, "Few", 1000L + i, "Steady", 5_000L));
        }

        assertThat(growth.candidates()).containsExactly("More", "Leaked");
        assertThat(growth.suspects(none -> Places.NONE)).isEmpty();
    }

    @Test
    void growthWithoutRequests_isNone() {
        for (int i = 1; i <= 40; i++) {
            growth.add(1000, Map.of("Ticking", 1000L * i));
        }
        assertThat(growth.size()).isEqualTo(1);
        assertThat(growth.suspects(none -> Places.NONE)).isEmpty();
    }

    /** Else what grows first and most in every JVM is the watch for what grows. */
    @Test
    void moreCounts_areNoMoreObjects() throws Exception {
        Map<String, Long> objects = new HashMap<>();
        for (int c = 0; c < 5_000; c++) {
            objects.put("C" + c, 1_000L + c);
        }
        growth.add(1, objects);
        long before = objectsOfTheJdks();

        for (int i = 2; i <= Growth.WINDOW; i++) {
            growth.add(i, new HashMap<>(objects));
        }

        assertThat(growth.size()).isEqualTo(Growth.WINDOW);
        assertThat(objectsOfTheJdks() - before).isLessThan(5_000);
    }

    private static long objectsOfTheJdks() throws Exception {
        Map<String, Long> live = LiveObjects.count();
        return live.getOrDefault("java.lang.Long", 0L) + live.getOrDefault("java.util.HashMap$Node", 0L);
    }

    @Test
    void cacheThatIsFull_isNoneAnyMore() {
        for (int i = 1; i <= 40; i++) {
            growth.add(1000L * i, Map.of("Cached", Math.min(1000L * i, 15_000L)));
            if (i == 15) {
                assertThat(growth.suspects(none -> Places.NONE))
                        .extracting(Growing::className)
                        .containsExactly("Cached");
            }
        }
        assertThat(growth.suspects(none -> Places.NONE)).isEmpty();
    }

    /** Of hundreds of JVMs, each with five hundred classes that go up and down by chance. */
    @Test
    void chance_isSeldomASuspicion() {
        List<String> names = IntStream.range(0, 500).mapToObj(c -> "C" + c).toList();
        int suspected = 0;
        int rounds = Fuzz.rounds(300);
        for (int seed = 0; seed < rounds; seed++) {
            Random random = new Random(seed);
            Growth chance = new Growth();
            for (int i = 1; i <= Growth.WINDOW; i++) {
                Map<String, Long> objects = new HashMap<>();
                names.forEach(name -> objects.put(name, 10_000L + random.nextInt(5_000)));
                chance.add(1000L * i, objects);
            }
            suspected += chance.suspects(none -> Places.NONE).isEmpty() ? 0 : 1;
        }
        assertThat(suspected).isLessThanOrEqualTo(1 + rounds / 37);
    }
}
