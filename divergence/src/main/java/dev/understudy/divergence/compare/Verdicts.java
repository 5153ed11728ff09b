package dev.understudy.divergence.compare;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws the verdict from what was found. */
public final class Verdicts {
    private Verdicts() {}

    /**
     * The verdict on one exchange.
     *
     * @param complete whether everything there is was compared
     */
    public static Verdict of(boolean complete, List<Differences> parts, ComparisonRules rules) {
        return of(complete ? null : NotCompared.INCOMPLETE, parts, rules);
    }

    /**
     * The verdict on one exchange.
     *
     * @param open why not everything that there is was compared; null if it was
     */
    public static Verdict of(@Nullable NotCompared open, List<Differences> parts, ComparisonRules rules) {
        List<Difference> real = new ArrayList<>();
        List<Difference> noise = new ArrayList<>();
        for (Differences part : parts) {
            for (Difference difference : part.list()) {
                (difference.noise() == null ? real : noise).add(difference);
            }
        }
        boolean different = !real.isEmpty();
        boolean same = real.isEmpty() && noise.isEmpty();
        List<Difference> listed = new ArrayList<>(real.subList(0, Math.min(real.size(), rules.maxDifferences())));
        listed.addAll(noise.subList(0, Math.min(noise.size(), rules.maxDifferences())));
        if (different) {
            return new Verdict(VerdictKind.DIFFERENT, open, listed);
        }
        if (open != null) {
            return new Verdict(VerdictKind.NOT_COMPARED, open, listed);
        }
        return same ? Verdict.SAME : new Verdict(VerdictKind.EQUIVALENT, null, listed);
    }
}
