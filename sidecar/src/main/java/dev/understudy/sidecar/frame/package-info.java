/**
 * Bytes cut into requests and replies, of which the lane makes exchanges.
 *
 * <pre>
 *   client's bytes ─▶ RequestStream ─▶ head, body, end (and the bytes of each, in order, none left out)
 *   replies' bytes ─▶ ReplyStream   ─▶ ReplyCopy (kept for the comparison, charged to ReplyMemory)
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.frame;

import org.jspecify.annotations.NullMarked;
