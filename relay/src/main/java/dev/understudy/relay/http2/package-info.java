/**
 * HTTP/2 as somebody reads it who takes no part in it: what both proxies see of a connection that they only copy.
 *
 * <pre>
 *   bytes of one direction ─▶ Http2Reader ─▶ FrameCutter ─▶ HeaderBlocks ─▶ headers, data, reset of each stream
 * </pre>
 */
@NullMarked
package dev.understudy.relay.http2;

import org.jspecify.annotations.NullMarked;
