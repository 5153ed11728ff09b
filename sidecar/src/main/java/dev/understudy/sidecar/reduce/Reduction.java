package dev.understudy.sidecar.reduce;

import dev.understudy.sidecar.label.ReplyFacts;
import java.util.List;

/**
 * What came of asking a copy again. Immutable.
 *
 * @param asked how often the recorded input was sent unchanged
 * @param failed how often it failed then
 * @param first what the copy answered to it, of a failing one if there was one; without its head and body
 * @param smallest the smallest input that fails; the recorded one if nothing could be left out
 * @param confirmed how often it failed when it was sent {@code asked} times at the end
 * @param cuts what was left out, by kind
 * @param needs what the smallest input has that it doesn't fail without
 * @param requests sent in all, earlier ones of an input among them
 * @param spent whether the limit of attempts or time was reached before nothing more could be left out
 */
public record Reduction(
        int asked,
        int failed,
        ReplyFacts first,
        HttpInput recorded,
        HttpInput smallest,
        int confirmed,
        List<Cut> cuts,
        List<Need> needs,
        int requests,
        boolean spent) {
    public Reduction {
        cuts = List.copyOf(cuts);
        needs = List.copyOf(needs);
    }

    /** So many parts of a kind were left out. */
    public record Cut(String kind, int count) {}

    /**
     * A part without which the failure is gone.
     *
     * @param without the passing input
     * @param reply what the copy answers to that; without its head and body
     */
    public record Need(InputPart part, HttpInput without, ReplyFacts reply) {}

    /** How the failure behaves when the recorded input is sent again. */
    public enum Behaviour {
        /** It fails each time. */
        STABLE,
        /** It fails at times: chance, or an order of threads, takes part. */
        FLAKY,
        /** It doesn't fail: it needs a state, or replies of upstreams, that the copy doesn't have any longer. */
        GONE
    }

    /** Whether it fails each time. */
    public Behaviour behaviour() {
        return failed == 0 ? Behaviour.GONE : failed < asked ? Behaviour.FLAKY : Behaviour.STABLE;
    }
}
