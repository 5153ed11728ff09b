package dev.understudy.divergence.noise;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What kind of value stands somewhere, by its looks. */
public enum ValueClass {
    /** A date, or a date with a time: {@code 2026-11-21T20:29:08.123Z}. */
    TIME("\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: "
            + "?(?:Z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?))?)?"
            + "|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT"),
    /** A UUID. */
    UUID("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
    /** A number: a counter, a generated key, a time since 1970, a float; but a price, too. */
    NUMBER("-?\\d{1,40}(?:\\.\\d{1,40})?(?:[eE][+-]?\\d{1,4})?"),
    /** Eight or more letters, digits and {@code _-+/=.~} with at least one digit and one letter among them. */
    TOKEN("(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_+/=.~-]{8,4096}"),
    /** Not a value: the same things in another order. */
    ORDER(null),
    /** Anything, also nothing. */
    ANY(null),
    /** Nothing may differ there, whatever has been learned. */
    NONE(null);

    private final @Nullable Pattern looks;

    ValueClass(@Nullable String looks) {
        this.looks = looks == null ? null : Pattern.compile(looks);
    }

    /** The first class that a value has the looks of; null if it's a text like others. */
    public static @Nullable ValueClass of(String value) {
        for (ValueClass one : values()) {
            if (one.looks != null && one.looks.matcher(value).matches()) {
                return one;
            }
        }
        return null;
    }

    /** Its name in a file of rules. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
