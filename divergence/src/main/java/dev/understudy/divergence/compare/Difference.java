package dev.understudy.divergence.compare;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One place at which two replies differ.
 *
 * @param path where: {@code status}, {@code header.Content-Type}, {@code header.Set-Cookie[JSESSIONID]},
 *     {@code body}, {@code body.items[3].price}, {@code body:12} (line of a text)
 * @param production what production had there, shortened; null if nothing
 * @param debug what debug had there, shortened; null if nothing
 * @param noise why it doesn't matter; null if it does
 * @param origin what the values were cut from; null if they are shown whole, and after masking
 */
public record Difference(
        String path,
        Type type,
        @Nullable String production,
        @Nullable String debug,
        @Nullable Noise noise,
        @Nullable ValueOrigin origin) {

    /** One whose values are shown whole. */
    public Difference(
            String path, Type type, @Nullable String production, @Nullable String debug, @Nullable Noise noise) {
        this(path, type, production, debug, noise, null);
    }

    /** The same, for that reason noise. */
    public Difference asNoise(Noise why) {
        return new Difference(path, type, production, debug, why, origin);
    }

    /** Whether it says the same, whatever that was cut from. */
    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Difference other
                && path.equals(other.path)
                && type == other.type
                && Objects.equals(production, other.production)
                && Objects.equals(debug, other.debug)
                && noise == other.noise;
    }

    @Override
    public int hashCode() {
        return Objects.hash(path, type, production, debug, noise);
    }

    /** Without what the values were cut from, which may be long. */
    @Override
    public String toString() {
        return "Difference[path=" + path + ", type=" + type + ", production=" + production + ", debug=" + debug
                + ", noise=" + noise + "]";
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
