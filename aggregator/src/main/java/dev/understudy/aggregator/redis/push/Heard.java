package dev.understudy.aggregator.redis.push;

/**
 * How far a production connection had been told what to forget when it got a reply.
 *
 * @param told all that it is told
 * @param position how much of that came before the reply
 */
public record Heard(Invalidations told, long position) {}
