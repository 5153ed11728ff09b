package dev.understudy.sidecar.verdict;

import org.jspecify.annotations.Nullable;

/**
 * Both sides' replies to one request, and the request.
 *
 * @param production null if that never came, or nothing of it is kept
 * @param debug null if that never came, or nothing of it is kept
 * @param request as the client sent it, with its secrets, never to be shown; null if it isn't kept. Not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
public record ReplyPair(
        @Nullable ReplyExcerpt production, @Nullable ReplyExcerpt debug, byte @Nullable [] request) {
    long heldBytes() {
        return (request == null ? 0 : 16L + request.length)
                + (production == null ? 0 : production.heldBytes())
                + (debug == null ? 0 : debug.heldBytes());
    }
}
