package dev.understudy.divergence.compare.body;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a body beyond its length and hash that isn't held.
 *
 * @param said null if nobody could read it
 */
public record Unheld(@Nullable Said said, PrefixChecksums rungs) {}
