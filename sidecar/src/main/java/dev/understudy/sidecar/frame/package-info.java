/**
 * Bytes cut into requests and replies, of which the lane makes exchanges; how, is each protocol's {@link
 * dev.understudy.sidecar.frame.Dialect}.
 *
 * <pre>
 *   client's bytes ─▶ RequestStream ─▶ Request, body, end (and the bytes of each, in order, none left out)
 *   replies' bytes ─▶ ReplyStream   ─▶ ReplyCopy (kept for the comparison, charged to ReplyMemory)
 *   both           ─▶ Session       ─▶ Opening (what a copy that begins again is told first)
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.frame;

import org.jspecify.annotations.NullMarked;
