package dev.understudy.aggregator.journal;

/** Why a recorded exchange left the journal unused. */
public enum Eviction {
    /** The journal was full: the oldest make room. */
    MEMORY,
    /** Older than the configured age. */
    AGE,
    /** Alone larger than an eighth of the journal. */
    TOO_LARGE
}
