package dev.understudy.standin.value;

/** Which characters a text is made of. */
public enum Alphabet {
    /** 0 to 9. */
    DIGITS,
    /** Digits and a to f. */
    HEX,
    /** A UUID with its hyphens. */
    UUID,
    /** A date, or a date and a time, of ISO 8601. */
    TIME,
    /** Letters, digits and hyphens. */
    NAME,
    /** Words with spaces between. */
    WORDS;

    /** The narrowest one that fits all of {@code text}; lengths and counts are another's matter. */
    static Alphabet of(String text) {
        if (text.matches("\\d+")) {
            return DIGITS;
        }
        if (text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
            return UUID;
        }
        if (text.matches("\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d.*)?")) {
            return TIME;
        }
        if (text.matches("[0-9a-fA-F]{8,}")) {
            return HEX;
        }
        return text.matches("[\\p{Alnum}_-]*") ? NAME : WORDS;
    }

    /** What fits texts of both. */
    Alphabet with(Alphabet other) {
        if (this == other) {
            return this;
        }
        if (this == WORDS || other == WORDS || this == TIME || other == TIME) {
            return WORDS;
        }
        return (this == DIGITS && other == HEX) || (this == HEX && other == DIGITS) ? HEX : NAME;
    }
}
