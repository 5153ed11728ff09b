package dev.understudy.aggregator.exchange;

/** Why a recorded exchange left the journal unused. */
public enum Eviction {
    /** Memory was full, and the exchange was none for the disk: the oldest make room. */
    MEMORY,
    /** The disk's budget was used up: the oldest there make room. */
    DISK,
    /** Memory was full, and the disk hadn't taken what was meant for it yet. */
    DISK_SLOW,
    /** Memory was full, and the disk couldn't be written; or it couldn't at the end of a large reply. */
    DISK_FAILED,
    /** What lies on disk can't be read back, or isn't what was written. */
    DAMAGED,
    /** On disk from another upstream of that name, or in another format. */
    FOREIGN,
    /** Older than the configured age. */
    AGE,
    /** From before the debug JVM was brought into production's state anew. */
    FORGOTTEN,
    /** Alone larger than an eighth of the journal. */
    TOO_LARGE
}
