package dev.understudy.sidecar.reduce;

import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DeltaDebuggingTest {
    private static final long SEED = 31;

    @Test
    void whatIsNeeded_isFoundAmongMany() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            int count = 1 + random.nextInt(60);
            BitSet needed = some(random, count, 4);
            AtomicInteger trials = new AtomicInteger();
            BitSet kept = DeltaDebugging.minimize(count, some -> {
                trials.incrementAndGet();
                return contains(some, needed);
            });
            assertThat(kept).as("seed %d, round %d", SEED, round).isEqualTo(needed);
            assertThat(trials.get()).as("of %d parts", count).isLessThanOrEqualTo(count * count + 3 * count + 1);
        }
    }

    /** Where several sets of parts make a failure, one of them is found. */
    @Test
    void ofSeveralCauses_oneIsLeft_withoutAnyPartOfWhichNothingFails() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            int count = 2 + random.nextInt(40);
            BitSet one = some(random, count, 3);
            BitSet other = some(random, count, 3);
            DeltaDebugging.Trial trial = some -> contains(some, one) || contains(some, other);
            BitSet kept = DeltaDebugging.minimize(count, trial);
            assertThat(trial.fails((BitSet) kept.clone())).isTrue();
            for (int part = kept.nextSetBit(0); part >= 0; part = kept.nextSetBit(part + 1)) {
                BitSet without = (BitSet) kept.clone();
                without.clear(part);
                assertThat(trial.fails(without))
                        .as("seed %d, round %d", SEED, round)
                        .isFalse();
            }
        }
    }

    @Test
    void withoutParts_orWhereNoneIsNeeded_nothingIsLeft() throws Exception {
        assertThat(DeltaDebugging.minimize(0, some -> true)).isEqualTo(new BitSet());
        assertThat(DeltaDebugging.minimize(9, some -> true)).isEqualTo(new BitSet());
    }

    /** As when the limit of attempts is reached: what was found by then is kept. */
    @Test
    void whenNothingFailsAnyLonger_whatFailedLastIsKept() throws Exception {
        AtomicInteger trials = new AtomicInteger();
        BitSet kept = DeltaDebugging.minimize(16, some -> trials.incrementAndGet() < 5 && some.get(3));
        assertThat(kept.get(3)).isTrue();
        assertThat(kept.cardinality()).isLessThan(16);
    }

    private static BitSet some(Random random, int count, int most) {
        BitSet some = new BitSet();
        for (int n = 1 + random.nextInt(most); n > 0; n--) {
            some.set(random.nextInt(count));
        }
        return some;
    }

    private static boolean contains(BitSet all, BitSet wanted) {
        BitSet missing = (BitSet) wanted.clone();
        missing.andNot(all);
        return missing.isEmpty();
    }
}
