package dev.understudy.aggregator.body;

/** Why a large body isn't kept. */
public enum Loss {
    /** The files have all the bytes that they may. */
    NO_ROOM,
    /** More waited for the disk than may be in memory. */
    SLOW,
    /** The disk can't be written. */
    FAILED
}
