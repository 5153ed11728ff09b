/**
 * Redis: commands and replies in RESP2 and RESP3.
 *
 * <pre>
 * production's bytes ─▶ RedisRecorder ─▶ RedisUpstreamSession ─▶ RedisForms ─▶ journal
 * debug's bytes ─▶ RedisReplayHandler ─▶ RedisUpstreamSession ─▶ RedisForms ─▶ journal
 *                                           ├─▶ LocalCommands (answered here)
 *                                           └─▶ Subscriber ◀── redis.push ◀── RecordedSubscriptions (of RedisRecorder)
 * </pre>
 *
 * <p>What a connection has agreed on (database, protocol version, an open transaction, watched keys) is followed on
 * both sides by the same {@link dev.understudy.aggregator.redis.RedisUpstreamSession} and is part of each form.
 */
@NullMarked
package dev.understudy.aggregator.redis;

import org.jspecify.annotations.NullMarked;
