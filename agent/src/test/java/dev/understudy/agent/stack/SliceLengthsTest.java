package dev.understudy.agent.stack;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class SliceLengthsTest {
    private final SliceLengths lengths = new SliceLengths(150);

    @Test
    void whereLittleHappens_slicesGrow_asFarAsTheyMay() {
        assertThat(in(lengths, 30, 300)).isLessThan(30 * 150);
        assertThat(lengths.next()).isEqualTo(SliceLengths.LONGEST_NANOS);
    }

    @Test
    void whereMuchHappens_theyAreAsLongAsSoManyTake() {
        in(lengths, 30, 10_000);
        assertThat(lengths.next()).isBetween(3_500_000L, 4_000_000L);
    }

    @Test
    void whereTheShortestHasTooMuch_thereAreNoneForSeconds() {
        assertThat(in(lengths, 100, 1_000_000))
                .as("1000 in the shortest, 2000 in the first")
                .isBetween(90L * 150, 100L * 150 + 2000);
    }

    @Test
    void ofOneASecond_thereArentFour() {
        assertThat(in(new SliceLengths(1), 100, 20_000)).isBetween(90L, 100L + 40);
    }

    /** How much happens in all slices if so much does in a second. */
    private static long in(SliceLengths lengths, int seconds, int happening) {
        long all = 0;
        for (int i = 0; i < seconds * SliceLengths.A_SECOND; i++) {
            long length = lengths.next();
            if (length > 0) {
                int count = (int) (length * happening / 1_000_000_000);
                lengths.had(count);
                all += count;
            }
        }
        return all;
    }
}
