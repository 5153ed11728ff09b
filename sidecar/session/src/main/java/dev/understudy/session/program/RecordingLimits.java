package dev.understudy.session.program;

import java.time.Duration;

/**
 * What is kept of production's traffic, in the sidecar's own directory.
 *
 * @param kept at least so much time, as long as it fits
 * @param bytes on disk at most, of each listener
 */
public record RecordingLimits(Duration kept, long bytes) {
    /** Files of a listener: the oldest is deleted when a new one is begun. */
    public static final int FILES = 6;

    private static final long LEAST = 6L << 20;

    public RecordingLimits {
        if (kept.compareTo(Duration.ofSeconds(10)) < 0) {
            throw new IllegalArgumentException("keep: " + kept.toSeconds() + "s (expected: at least 10s)");
        }
        if (bytes < LEAST) {
            throw new IllegalArgumentException("keep-bytes: " + bytes + " (expected: at least 6MiB)");
        }
    }

    /** What one file may grow to. */
    public long fileBytes() {
        return bytes / FILES;
    }

    /** How long one file is written. */
    public Duration fileTime() {
        return kept.dividedBy(FILES - 1);
    }
}
