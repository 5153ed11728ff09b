package dev.understudy.session.clone;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a clone may cost.
 *
 * @param suspension the longest that production may stand still; a snapshot that takes longer is given up
 * @param images an existing directory for images, on a tmpfs by default; each gets one of its own in it, of mode 0700
 * @param writable what the copy may write to its private file system, in bytes
 */
public record CloneLimits(Duration suspension, Path images, long writable) {
    public CloneLimits {
        if (suspension.isNegative() || suspension.isZero()) {
            throw new IllegalArgumentException("max-suspend: " + suspension + " (expected: > 0)");
        }
        if (writable <= 0) {
            throw new IllegalArgumentException("writable: " + writable + " (expected: > 0)");
        }
    }
}
