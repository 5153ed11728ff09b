package dev.understudy.divergence.compare.body;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RungsTest {
    private static final int PIECE = 100_000;

    /** Bodies of 60 MB and more, of which the rungs of one lie further apart than those of the other. */
    @Test
    void placeOfTheFirstDifference_isTold_whateverTheLengths() {
        for (int seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            long ours = 10_000_000L + random.nextInt(50_000_000);
            long theirs = ours + random.nextInt(3) * 17_000_000L;
            long differs = ours == theirs || random.nextBoolean() ? random.nextInt((int) ours) : ours;
            PrefixChecksums.Place place = rungs(ours, -1).differs(rungs(theirs, differs < ours ? differs : -1));

            assertThat(differs).as("seed %d", seed).isBetween(place.from(), place.to() - 1);
            assertThat(place.to() - place.from()).as("seed %d", seed).isLessThanOrEqualTo(65_536);
            assertThat(1 + differs / 1000)
                    .as("seed %d, lines of a thousand bytes", seed)
                    .isBetween(place.firstLine(), place.lastLine());
        }
    }

    @Test
    void bodyThatEnds_differsThere() {
        PrefixChecksums.Place place = rungs(5000, -1).differs(rungs(5001, -1));

        assertThat(place).isEqualTo(new PrefixChecksums.Place(4096, 5001, 5, 6));
    }

    private static PrefixChecksums rungs(long length, long changed) {
        PrefixChecksums rungs = new PrefixChecksums();
        for (long at = 0; at < length; at += PIECE) {
            byte[] piece = new byte[(int) Math.min(PIECE, length - at)];
            for (int i = 999; i < piece.length; i += 1000) {
                piece[i] = '\n';
            }
            if (changed >= at && changed < at + piece.length) {
                piece[(int) (changed - at)] ^= 1;
            }
            rungs.add(ByteBuffer.wrap(piece));
        }
        return rungs;
    }
}
