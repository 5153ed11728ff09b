package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.match.MatchReason;
import org.jspecify.annotations.Nullable;

/**
 * Why a recorded exchange was chosen for a request.
 *
 * @param doubtful whether others were as good, for all that is known
 * @param changing whether different answers to this form are known
 * @param candidates unused exchanges of this form at that moment, this one included
 * @param inbound the sidecar's number of the one inbound exchange that made the request; null if that isn't known
 */
public record Reason(
        MatchReason basis,
        boolean doubtful,
        boolean changing,
        int candidates,
        @Nullable Long inbound) {

    /** Whether others with other answers were as good. */
    public boolean guessed() {
        return doubtful && changing;
    }
}
