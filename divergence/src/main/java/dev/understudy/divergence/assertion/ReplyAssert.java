package dev.understudy.divergence.assertion;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import java.util.List;

/**
 * An assertion about one reply. It compares as the sidecar does: order of members, blanks, spellings of a number,
 * headers about the connection and values that each side makes up for itself don't count; everything else does. For one
 * thread.
 */
public final class ReplyAssert {
    private static final int IDENTITIES = 1000;

    private final HttpReply actual;
    private ComparisonRules comparison = ComparisonRules.defaults();
    private String request = "";

    ReplyAssert(HttpReply actual) {
        this.actual = actual;
    }

    /** Compares by these rules, instead of the defaults. */
    public ReplyAssert comparedBy(ComparisonRules rules) {
        comparison = rules;
        return this;
    }

    /** Says what was asked, such as {@code GET /orders/7}, for noise rules that are about one route. */
    public ReplyAssert to(String asked) {
        request = asked;
        return this;
    }

    /**
     * Fails unless the reply means the same as another.
     *
     * @throws AssertionError with all differences that were found; also if they couldn't be compared in full
     */
    public ReplyAssert isEquivalentTo(HttpReply expected) {
        return isEquivalentTo(expected, List.of());
    }

    /**
     * Fails unless the reply means the same as another but for what the rules allow to differ.
     *
     * @throws AssertionError with all differences that were found; also if they couldn't be compared in full
     */
    public ReplyAssert isEquivalentTo(HttpReply expected, List<NoiseRule> rules) {
        Verdict verdict = verdict(expected, rules);
        if (verdict.kind() == VerdictKind.SAME || verdict.kind() == VerdictKind.EQUIVALENT) {
            return this;
        }
        StringBuilder message = new StringBuilder("expected an equivalent reply, but it is ").append(verdict.kind());
        message.append(verdict.reason() == null ? "" : " (" + verdict.reason() + ")");
        for (Difference difference : verdict.differences()) {
            if (difference.noise() == null) {
                message.append("\n  ").append(difference.type()).append(' ').append(difference.path());
                message.append(": expected ").append(difference.production());
                message.append(", but was ").append(difference.debug());
            }
        }
        throw new AssertionError(message.toString());
    }

    /**
     * Fails if the reply means the same as another.
     *
     * @throws AssertionError if it does, or if they couldn't be compared
     */
    public ReplyAssert differsFrom(HttpReply other) {
        Verdict verdict = verdict(other, List.of());
        if (verdict.kind() == VerdictKind.DIFFERENT) {
            return this;
        }
        throw new AssertionError("expected another reply, but it is " + verdict.kind());
    }

    private Verdict verdict(HttpReply expected, List<NoiseRule> rules) {
        Verdict verdict = new HttpComparison(comparison, new IdentityMap(IDENTITIES)).compare(expected, actual);
        return new NoiseRules(rules, comparison.maxDifferences()).apply(request, verdict);
    }
}
