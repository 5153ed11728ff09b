package dev.understudy.session.debug;

import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.outcome.OutcomeTrace;
import java.io.IOException;
import java.time.Instant;

/**
 * Why a copy is made.
 *
 * @param number of this session's copies, from 1 on
 * @param cause the rule that fired; "" for the session's begin
 * @param trace the outcome's trace
 * @param begun when it fired
 * @param before what clients sent before
 */
public record CopyOccasion(int number, String cause, String trace, Instant begun, RecordedTraffic before) {
    /** The begin of a session. */
    static CopyOccasion begin() {
        return new CopyOccasion(1, "", OutcomeTrace.id(), Instant.now(), RecordedTraffic.NONE);
    }

    /** The name of the copy's agent. */
    String agent(String session) {
        return "copy-" + session + (number == 1 ? "" : "-" + number);
    }

    /** What clients sent before a copy was made. */
    @FunctionalInterface
    public interface RecordedTraffic {
        /** Nothing was recorded. */
        RecordedTraffic NONE = (world, until) -> "";

        /**
         * Plays it to a copy that hasn't got anything yet.
         *
         * @param world where the copy is
         * @param until requests that arrived from this moment on are left out, {@link System#nanoTime()}
         * @return a sentence about it; "" if there was nothing
         * @throws IOException if it can't be read
         */
        String play(CloneWorld world, long until) throws IOException, InterruptedException;
    }
}
