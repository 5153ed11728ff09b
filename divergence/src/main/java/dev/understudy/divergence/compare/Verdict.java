package dev.understudy.divergence.compare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of comparing one exchange.
 *
 * @param reason set if and only if the kind is {@link Kind#NOT_COMPARED}
 * @param differences those found, real ones before noise; bounded, so there may be more; empty if and only if SAME,
 *     perhaps empty if NOT_COMPARED
 */
public record Verdict(Kind kind, @Nullable NotCompared reason, List<Difference> differences) {
    /** Both replies were compared in full and are equal. */
    public static final Verdict SAME = new Verdict(Kind.SAME, null, List.of());

    public Verdict {
        differences = List.copyOf(differences);
        if ((kind == Kind.NOT_COMPARED) != (reason != null)) {
            throw new IllegalArgumentException("reason of a verdict " + kind + ": " + reason);
        }
        if (kind == Kind.SAME && !differences.isEmpty()) {
            throw new IllegalArgumentException("differences of a verdict SAME: " + differences.size());
        }
    }

    public static Verdict notCompared(NotCompared reason) {
        return new Verdict(Kind.NOT_COMPARED, reason, List.of());
    }
}
