package dev.understudy.sidecar.verdict;

import org.jspecify.annotations.Nullable;

/**
 * Both sides' replies to one request.
 *
 * @param production null if that never came, or nothing of it is kept
 * @param debug null if that never came, or nothing of it is kept
 */
public record ReplyPair(
        @Nullable ReplyExcerpt production, @Nullable ReplyExcerpt debug) {
    long heldBytes() {
        return (production == null ? 0 : production.heldBytes()) + (debug == null ? 0 : debug.heldBytes());
    }
}
