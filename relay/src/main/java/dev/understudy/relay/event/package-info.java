/**
 * What happens in a proxy, told to callers that follow it as server-sent events.
 *
 * <pre>
 *   any thread but a relay loop ── publish ─▶ EventFeed: a ring of the newest Happenings
 *                                                ▲ after(n)
 *                          control thread:  FeedStream, one per caller ── ServerSentEvent ─▶ its socket
 * </pre>
 *
 * <p>What is told as it stands has no ring: {@link dev.understudy.relay.event.StateStream},
 * {@link dev.understudy.relay.event.SharedState}.
 *
 * <p>A caller is a place in that ring, and no queue: one that reads slowly costs what its socket's write buffer holds,
 * and is told how many events it missed.
 */
@NullMarked
package dev.understudy.relay.event;

import org.jspecify.annotations.NullMarked;
