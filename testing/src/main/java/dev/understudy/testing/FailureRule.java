package dev.understudy.testing;

/** What makes a check fail. */
public enum FailureRule {
    /** A reply of debug differs from production's. */
    DIFFERENT,
    /** A reply could not be compared. */
    NOT_COMPARED,
    /** Nothing was compared since the last check. */
    NOTHING,
    /** Input was lost on its way to debug. */
    LOST,
    /** Debug made an upstream call without a recorded reply. */
    MISSED,
    /** Debug made other upstream calls than production did for the same request. */
    CALLS,
    /**
     * Debug had a connection to an upstream, or to the port where production reaches it. Looked for ten times a second
     * on Linux, if the environment started debug: one that lives shorter may be overlooked.
     */
    REACHED
}
