package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of whole-method predicates that go with failing better than either alone, without regard to any suspect: they
 * compete by themselves. Not for several threads.
 */
final class JointPairs {
    /** So many predicates are paired, those that go with failing best by themselves. */
    private static final int MOST = 96;

    private static final int MOST_FAILING = 128;
    private static final double NEARLY_ALL = 0.8;
    private static final double GAIN = 0.1;

    private final Methods methods;
    private final Map<String, Joint> best = new HashMap<>();

    /**
     * Pairs what held in {@code failing} runs.
     *
     * @param good some successful runs
     * @param ratio how many successful runs there are for each failing one
     */
    JointPairs(List<Run> failing, Collection<Run> good, double ratio, Methods methods) {
        this.methods = methods;
        List<Run> bad = failing.subList(Math.max(0, failing.size() - MOST_FAILING), failing.size()).stream()
                .map(run -> run.alone)
                .toList();
        List<Run> fine = good.stream().filter(run -> run.whole).toList();
        if (bad.isEmpty() || fine.isEmpty()) {
            return;
        }
        double scale = ratio * bad.size() / fine.size();
        List<Half> halves = halves(bad, fine, scale);
        for (Half later : halves) {
            for (Half earlier : halves) {
                if (earlier.order < later.order) {
                    join(earlier, later, bad.size(), scale);
                }
            }
        }
    }

    /** The best pair of which the method's is the later one; null if there is none. */
    @Nullable
    Joint of(String method) {
        return best.get(method);
    }

    private List<Half> halves(List<Run> bad, List<Run> good, double scale) {
        Map<Integer, Half> all = new HashMap<>();
        for (int i = 0; i < bad.size(); i++) {
            int[] held = bad.get(i).held;
            for (int place = 0; place < held.length; place++) {
                if (methods.isOfWhole(held[place]) && methods.accuses(held[place])) {
                    Half half = all.computeIfAbsent(held[place], Half::new);
                    half.bad.set(i);
                    half.order += place;
                }
            }
        }
        all.values().removeIf(half -> half.bad.cardinality() < NEARLY_ALL * bad.size());
        for (int i = 0; i < good.size(); i++) {
            for (int predicate : good.get(i).held) {
                Half half = all.get(predicate);
                if (half != null) {
                    half.good.set(i);
                }
            }
        }
        Map<BitSet, Half> distinct = new HashMap<>();
        for (Half half : all.values()) {
            int fine = half.good.cardinality();
            half.order /= half.bad.cardinality();
            half.ochiai = ochiai(half.bad.cardinality(), bad.size(), fine * scale);
            if (fine > 0 && fine < good.size()) {
                distinct.merge(half.good, half, (one, other) -> one.order <= other.order ? one : other);
            }
        }
        List<Half> halves = new ArrayList<>(distinct.values());
        halves.sort(Comparator.comparingDouble((Half half) -> -half.ochiai).thenComparingInt(half -> half.predicate));
        return halves.subList(0, Math.min(MOST, halves.size()));
    }

    private void join(Half earlier, Half later, int failing, double scale) {
        BitSet both = (BitSet) earlier.bad.clone();
        both.and(later.bad);
        BitSet fine = (BitSet) earlier.good.clone();
        fine.and(later.good);
        double ochiai = ochiai(both.cardinality(), failing, fine.cardinality() * scale);
        if (ochiai > Math.max(earlier.ochiai, later.ochiai) + GAIN) {
            best.merge(
                    methods.name(later.predicate / Predicate.ROOM),
                    new Joint(earlier.predicate, later.predicate, ochiai),
                    (one, other) -> one.ochiai >= other.ochiai ? one : other);
        }
    }

    private static double ochiai(double held, double all, double good) {
        return held == 0 ? 0 : held / Math.sqrt(all * (held + good));
    }

    /** Two predicates, and how well both together go with failing. */
    record Joint(int earlier, int later, double ochiai) {}

    /** One of two, and the runs in which it holds. */
    private static final class Half {
        private final int predicate;
        private final BitSet bad = new BitSet();
        private final BitSet good = new BitSet();
        private double order;
        private double ochiai;

        Half(int predicate) {
            this.predicate = predicate;
        }
    }
}
