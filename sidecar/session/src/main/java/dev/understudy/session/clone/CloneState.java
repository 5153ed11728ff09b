package dev.understudy.session.clone;

/** How much of production's state a debug copy began with; part of each statement of fidelity. */
public enum CloneState {
    /** All of it: heap, threads and open files, as they were at one moment. */
    LIVE,
    /** What its image or disk holds; its memory began anew. */
    RESTARTED,
    /** Nothing: the command was started. */
    COLD
}
