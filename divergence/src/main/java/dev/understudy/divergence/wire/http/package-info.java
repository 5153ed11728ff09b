/**
 * Frames HTTP/1.x byte streams (RFC 9112) into requests and replies without copying bodies.
 *
 * <pre>
 *  bytes ─▶ HttpRequestFramer ┐                ┌─▶ HeadBuffer ─▶ HeadParser ─▶ sink.head
 *           HttpReplyFramer   ┴▶ MessageFramer ┼─▶ counted / until-close body ─▶ sink.body, sink.end
 *                                              ├─▶ ChunkedBody ─▶ sink.body, sink.trailers, sink.end
 *                                              └─▶ sink.unframed, for good
 * </pre>
 *
 * <p>A framer never throws on its input, and allocates for a length field only what has arrived.
 */
@NullMarked
package dev.understudy.divergence.wire.http;

import org.jspecify.annotations.NullMarked;
