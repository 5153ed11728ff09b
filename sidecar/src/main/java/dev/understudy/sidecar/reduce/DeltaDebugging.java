package dev.understudy.sidecar.reduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The minimising algorithm of delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
 * input", 2002): of all parts it keeps so few that without any single one of them the failure is gone.
 */
final class DeltaDebugging {
    private DeltaDebugging() {}

    /** Whether an input that has only these parts fails. */
    @FunctionalInterface
    interface Trial {
        boolean fails(BitSet kept) throws IOException, InterruptedException;
    }

    /**
     * Minimises.
     *
     * @param count of parts, all of which together fail
     * @return those that are needed; without any single one of them {@code trial} doesn't fail
     */
    static BitSet minimize(int count, Trial trial) throws IOException, InterruptedException {
        BitSet kept = new BitSet(count);
        kept.set(0, count);
        if (count == 0 || trial.fails(new BitSet())) {
            return new BitSet();
        }
        int pieces = 2;
        while (kept.cardinality() > 1) {
            List<BitSet> split = split(kept, pieces);
            BitSet smaller = anyAlone(split, trial);
            if (smaller != null) {
                kept = smaller;
                pieces = 2;
                continue;
            }
            smaller = pieces == 2 ? null : withoutAny(kept, split, trial);
            if (smaller != null) {
                kept = smaller;
                pieces = Math.max(2, pieces - 1);
            } else if (pieces < kept.cardinality()) {
                pieces = Math.min(kept.cardinality(), 2 * pieces);
            } else {
                return kept;
            }
        }
        return kept;
    }

    private static @Nullable BitSet anyAlone(List<BitSet> split, Trial trial) throws IOException, InterruptedException {
        for (BitSet piece : split) {
            if (trial.fails((BitSet) piece.clone())) {
                return piece;
            }
        }
        return null;
    }

    private static @Nullable BitSet withoutAny(BitSet kept, List<BitSet> split, Trial trial)
            throws IOException, InterruptedException {
        for (BitSet piece : split) {
            BitSet rest = (BitSet) kept.clone();
            rest.andNot(piece);
            if (trial.fails((BitSet) rest.clone())) {
                return rest;
            }
        }
        return null;
    }

    private static List<BitSet> split(BitSet all, int pieces) {
        int[] members = all.stream().toArray();
        List<BitSet> split = new ArrayList<>();
        for (int piece = 0; piece < pieces; piece++) {
            BitSet part = new BitSet();
            int end = (int) ((long) (piece + 1) * members.length / pieces);
            for (int n = (int) ((long) piece * members.length / pieces); n < end; n++) {
                part.set(members[n]);
            }
            split.add(part);
        }
        return split;
    }
}
