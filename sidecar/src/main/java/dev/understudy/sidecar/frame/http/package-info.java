/**
 * HTTP/1.1 and HTTP/2 as lanes see them.
 *
 * <pre>
 *   client's bytes ─▶ VersionRequestStream ─┬▶ HttpRequestStream
 *                                           └▶ Http2RequestStream ─▶ HttpRequest of each stream
 *   replies' bytes ─▶ VersionReplyStream ───┬▶ HttpReplyStream ────▶ HttpReplyCopy of each
 *                                           └▶ Http2ReplyStream
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.frame.http;

import org.jspecify.annotations.NullMarked;
