/**
 * What Redis says unasked to those who subscribed, or who cache: from the production connection that heard it to its
 * debug twin.
 *
 * <pre>
 *   RedisRecorder ─▶ Subscription (one for each topic that a production connection subscribed) ─▶ Subscriptions
 *                                                                                                      │ taken once
 *   RedisReplayHandler ◀── Outbox (one for each debug connection that subscribed) ◀────────────────────┘
 *   RedisRecorder ─▶ Invalidations (of a production connection that tracks) ◀── each recorded reply ─▶ CachedKeys
 * </pre>
 *
 * <p>Imports nothing of recording or replaying.
 */
@NullMarked
package dev.understudy.aggregator.redis.push;

import org.jspecify.annotations.NullMarked;
