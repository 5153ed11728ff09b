package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.reduce.CallText;
import dev.understudy.sidecar.reduce.Reduction;
import java.util.List;

/**
 * How small a failing request can be, as people read it. Immutable.
 *
 * @param request the smallest that fails, masked
 * @param needs what it doesn't fail without, masked
 * @param requests that were sent for it
 * @param limitReached whether it may not be the smallest
 */
record ReducedRequest(
        String request,
        List<NeededPart> needs,
        int recordedBytes,
        int smallestBytes,
        int requests,
        boolean limitReached) {
    ReducedRequest {
        needs = List.copyOf(needs);
    }

    /**
     * A part of it.
     *
     * @param reply the status without it, or why there is none
     */
    record NeededPart(String part, String reply) {}

    static ReducedRequest of(Reduction made, CallText texts) {
        return new ReducedRequest(
                texts.text(made.smallest().last()),
                made.needs().stream()
                        .map(need -> new NeededPart(
                                texts.part(need.part()), need.reply().toString()))
                        .toList(),
                made.recorded().size(),
                made.smallest().size(),
                made.requests(),
                made.spent());
    }
}
