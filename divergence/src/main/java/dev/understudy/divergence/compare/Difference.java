package dev.understudy.divergence.compare;

import org.jspecify.annotations.Nullable;

/**
 * One place at which two replies differ.
 *
 * @param path where: {@code status}, {@code header.Content-Type}, {@code header.Set-Cookie[JSESSIONID]},
 *     {@code body}, {@code body.items[3].price}, {@code body:12} (line of a text)
 * @param production what production had there, shortened; null if nothing
 * @param debug what debug had there, shortened; null if nothing
 * @param noise why it doesn't matter; null if it does
 */
public record Difference(
        String path,
        Type type,
        @Nullable String production,
        @Nullable String debug,
        @Nullable Noise noise) {

    /** The same, for that reason noise. */
    public Difference asNoise(Noise why) {
        return new Difference(path, type, production, debug, why);
    }

    /** In which way. */
    public enum Type {
        /** Production has it, debug hasn't. */
        MISSING,
        /** Debug has it, production hasn't. */
        EXTRA,
        /** Values of different types. */
        TYPE,
        /** Different values. */
        VALUE,
        /** The same things in another order. */
        ORDER,
        /** Different lengths. */
        LENGTH,
        /** The same or unknown content in another encoding. */
        ENCODING,
        /** Different status codes. */
        STATUS
    }
}
