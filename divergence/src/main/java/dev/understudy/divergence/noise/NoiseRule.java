package dev.understudy.divergence.noise;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.content.Folding;
import org.jspecify.annotations.Nullable;

/**
 * What may differ.
 *
 * @param route of which requests, as {@link Folding#route} names them; {@code *} for all
 * @param path at which place, as {@link Folding#place} names it
 * @param value what stands there on both sides; as soon as anything else does, the rule says nothing
 */
public record NoiseRule(String route, String path, ValueClass value) {
    /** The route that is any. */
    public static final String ALL = "*";

    /**
     * What kind of difference that is, for a rule about it.
     *
     * @return null if none but {@link ValueClass#ANY} would fit
     */
    public static @Nullable ValueClass kind(Difference difference) {
        if (difference.type() == Difference.Type.ORDER) {
            return ValueClass.ORDER;
        }
        String production = difference.production();
        String debug = difference.debug();
        if (difference.type() != Difference.Type.VALUE || production == null || debug == null) {
            return null;
        }
        ValueClass ofProduction = ValueClass.of(unquoted(production));
        return ofProduction == ValueClass.of(unquoted(debug)) ? ofProduction : null;
    }

    /** The value without the quotes that strings of JSON are shown with. */
    public static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    boolean isOf(String folded) {
        return route.equals(ALL) || route.equals(folded);
    }

    boolean allows(Difference difference) {
        return value == ValueClass.ANY || value == kind(difference);
    }
}
