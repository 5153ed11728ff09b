/**
 * Frames HTTP/1.x byte streams (RFC 9112) into requests and replies without copying bodies.
 *
 * <pre>
 *  bytes ─▶ HttpRequestFramer ┐                  ┌─▶ LineBuffer ─▶ HeaderSection ─▶ sink.head
 *           HttpReplyFramer   ┴─▶ MessageFramer ─┼─▶ BodyFraming, ChunkSize ─▶ sink.body, trailers, end
 *                                                └─▶ Unframable ─▶ sink.unframed, for good
 * </pre>
 *
 * <p>A framer never throws on its input, and allocates for a length field only what has arrived.
 */
@NullMarked
package dev.understudy.divergence.wire.http;

import org.jspecify.annotations.NullMarked;
