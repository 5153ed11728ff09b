package dev.understudy.testing.client;

import org.jspecify.annotations.Nullable;

/**
 * One upstream call that only one side made, or that both made in another way.
 *
 * @param kind {@code ADDED}, {@code LEFT_OUT}, {@code CHANGED} or {@code REORDERED}
 * @param upstream its name
 * @param production production's call; null if it made none
 * @param debug debug's call; null if it made none
 */
public record CallChange(
        String kind,
        String upstream,
        @Nullable String production,
        @Nullable String debug) {}
