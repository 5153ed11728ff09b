package dev.understudy.testing.client;

import org.jspecify.annotations.Nullable;

/**
 * One place at which two replies differ.
 *
 * @param path such as {@code body.items[0].price}
 * @param type what kind of difference it is, such as {@code VALUE}
 * @param production what production has there; null if nothing
 * @param debug what debug has there; null if nothing
 */
public record ValueDifference(
        String path,
        String type,
        @Nullable String production,
        @Nullable String debug) {}
