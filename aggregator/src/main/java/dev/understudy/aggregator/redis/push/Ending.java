package dev.understudy.aggregator.redis.push;

/**
 * A debug connection is to be closed, as production's was, unless it moves on to another subscription by then.
 *
 * @param why for people
 * @param broken whether messages were lost, rather than that production's connection ended
 * @param inNanos how long it may stay; it is asked for anew then
 */
public record Ending(String why, boolean broken, long inNanos) {}
