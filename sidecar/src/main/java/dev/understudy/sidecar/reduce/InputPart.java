package dev.understudy.sidecar.reduce;

/**
 * A part of an input that can be left out. Immutable.
 *
 * @param name of a header, cookie, parameter or field; a JSON pointer; method of an earlier request; else empty
 * @param value as it was recorded
 */
public record InputPart(Kind kind, String name, String value) {
    /** What it is. */
    public enum Kind {
        EARLIER_REQUEST("before it"),
        HEADER("header"),
        COOKIE("cookie"),
        PARAMETER("parameter"),
        FORM_FIELD("form field"),
        JSON("JSON"),
        /** A piece of a body of no known kind, or of a value: it has no name. */
        PIECE("a piece:");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /** One that is written {@code name=value}. */
    static InputPart pair(Kind kind, String pair) {
        int equals = pair.indexOf('=');
        return equals < 0
                ? new InputPart(kind, pair, "")
                : new InputPart(kind, pair.substring(0, equals), pair.substring(equals + 1));
    }

    static InputPart piece(String text) {
        return new InputPart(Kind.PIECE, "", text);
    }

    /** In words, with {@code shown} as its value. */
    String words(String shown) {
        String between = switch (kind) {
            case EARLIER_REQUEST -> " ";
            case HEADER -> ": ";
            case COOKIE, PARAMETER, FORM_FIELD -> value.isEmpty() ? "" : "=";
            case JSON -> " = ";
            case PIECE -> "";
        };
        return kind.words + ' ' + name + between + shown;
    }

    /** With its value, which may be a secret. */
    @Override
    public String toString() {
        return words(value);
    }
}
