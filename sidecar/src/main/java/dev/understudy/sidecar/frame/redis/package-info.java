/**
 * Redis as lanes see it: commands and replies in RESP2 and RESP3.
 *
 * <pre>
 *   client's bytes  ─▶ RedisRequestStream ─▶ RedisTransaction ─▶ RedisRequest (name, keys, what depends on it)
 *   replies' bytes  ─▶ RedisReplyStream   ─▶ RedisReplyCopy   (bytes, or length and hash)
 * </pre>
 *
 * <p>{@code RedisSession} follows what the connection sets up (user, database, …), so that a copy may begin again; a
 * {@code RedisOpening} is what it begins with. Neither direction is parsed into values before two replies turn out to
 * differ.
 */
@NullMarked
package dev.understudy.sidecar.frame.redis;

import org.jspecify.annotations.NullMarked;
