package dev.understudy.divergence.compare;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of comparing one exchange.
 *
 * @param reason why it wasn't compared, or not in full: set if the kind is {@link VerdictKind#NOT_COMPARED}, perhaps if
 *     it is DIFFERENT
 * @param differences those found, real ones before noise; bounded, so there may be more; empty if and only if SAME,
 *     perhaps empty if NOT_COMPARED
 */
public record Verdict(VerdictKind kind, @Nullable NotCompared reason, List<Difference> differences) {
    /** Both replies were compared in full and are equal. */
    public static final Verdict SAME = new Verdict(VerdictKind.SAME, null, List.of());

    public Verdict {
        differences = List.copyOf(differences);
        if (kind == VerdictKind.NOT_COMPARED ? reason == null : reason != null && kind != VerdictKind.DIFFERENT) {
            throw new IllegalArgumentException("reason of a verdict " + kind + ": " + reason);
        }
        if (kind == VerdictKind.SAME && !differences.isEmpty()) {
            throw new IllegalArgumentException("differences of a verdict SAME: " + differences.size());
        }
    }

    /**
     * The verdict if these are its differences, of which more are noise than before: never EQUIVALENT if it wasn't
     * compared in full.
     */
    public Verdict overlooking(List<Difference> marked) {
        List<Difference> real = new ArrayList<>();
        List<Difference> noise = new ArrayList<>();
        marked.forEach(difference -> (difference.noise() == null ? real : noise).add(difference));
        VerdictKind left = !real.isEmpty()
                ? VerdictKind.DIFFERENT
                : reason == null ? VerdictKind.EQUIVALENT : VerdictKind.NOT_COMPARED;
        real.addAll(noise);
        return new Verdict(left, reason, real);
    }

    /** The verdict if what differs may have that reason, and not be debug's doing: none of it counts. */
    public Verdict excusedBy(NotCompared reason) {
        return kind == VerdictKind.DIFFERENT ? new Verdict(VerdictKind.NOT_COMPARED, reason, differences) : this;
    }

    public static Verdict notCompared(NotCompared reason) {
        return new Verdict(VerdictKind.NOT_COMPARED, reason, List.of());
    }
}
