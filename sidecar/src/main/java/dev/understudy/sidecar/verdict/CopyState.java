package dev.understudy.sidecar.verdict;

/** How much of production's state a debug JVM began with: part of each statement of fidelity. */
public enum CopyState {
    /** All of it: heap, threads and open files, as they were at one moment. */
    LIVE,
    /** What its disk holds; its memory began anew. */
    RESTARTED,
    /** Nothing: it was started beside production. */
    COLD
}
