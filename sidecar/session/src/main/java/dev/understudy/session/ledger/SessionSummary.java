package dev.understudy.session.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A session that this machine knows of.
 *
 * @param id eight hexadecimal digits
 * @param target what is or was debugged; "" if that isn't known
 * @param copy what its copy begins with, such as LIVE; "" if that isn't known
 * @param since when it began; empty if that isn't known
 * @param state whether its process lives
 * @param left what it has made and not removed, the first first
 * @param problem what is wrong with its ledger; "" if nothing
 */
public record SessionSummary(
        String id,
        String target,
        String copy,
        Optional<Instant> since,
        State state,
        List<String> left,
        String problem) {
    public SessionSummary {
        left = List.copyOf(left);
    }

    /** Whether a session's process lives. */
    public enum State {
        /** It does. */
        RUNNING,
        /** It ended, and left something behind. */
        ENDED
    }
}
