package dev.understudy.sidecar.experiment;

import java.util.regex.Pattern;

/**
 * How a call ended.
 *
 * @param text of what was returned or thrown; empty for the other ends
 */
record CallOutcome(End end, String text) {
    static final CallOutcome UNKNOWN = new CallOutcome(End.UNKNOWN, "");
    static final CallOutcome VOID = new CallOutcome(End.RETURNED_NOTHING, "");

    /** A number is written as Java does; a long one is cut. */
    private static final Pattern NUMBER = Pattern.compile("-?\\d++(\\.\\d++)?+(E-?\\d++)?+(…#[0-9a-f]++)?+");

    private static final Pattern NOT_ZERO = Pattern.compile("[^E]*[1-9…].*");
    private static final Pattern PRIMITIVE_ARRAY = Pattern.compile("[\\w.]++\\[\\d++]");

    /** The ways in which a call ends. */
    enum End {
        RETURNED,
        RETURNED_NOTHING,
        THREW,
        /** Its end wasn't recorded. */
        UNKNOWN
    }

    static CallOutcome returned(String text) {
        return new CallOutcome(End.RETURNED, text);
    }

    static CallOutcome threw(String text) {
        return new CallOutcome(End.THREW, text);
    }

    /** Whether both are known, and not the same. */
    boolean differsFrom(CallOutcome other) {
        return isKnown() && other.isKnown() && !equals(other);
    }

    /** Whether both are known, and of two kinds: null and an object, say, but not two texts. */
    boolean differsInKindFrom(CallOutcome other) {
        return differsFrom(other) && !kind().equals(other.kind());
    }

    /** Whether both returned an object, one of another class than the other, or one of them null. */
    boolean isOfOtherClass(CallOutcome other) {
        return isReturnOfOtherKind(other)
                && (isNull() || isObject())
                && (other.isNull() || other.isObject())
                && !className().equals(other.className());
    }

    /** Whether both returned something, and of two kinds. */
    boolean isReturnOfOtherKind(CallOutcome other) {
        return end == End.RETURNED && other.end == End.RETURNED && differsInKindFrom(other);
    }

    private boolean isNull() {
        return text.equals("null");
    }

    private boolean isObject() {
        return text.startsWith("\"") || text.startsWith("[") || text.indexOf('{') >= 0;
    }

    private String className() {
        return text.startsWith("\"") || text.startsWith("[") || isNull()
                ? text.substring(0, 1)
                : text.substring(0, text.indexOf('{'));
    }

    private boolean isKnown() {
        return end != End.UNKNOWN;
    }

    String words() {
        return switch (end) {
            case RETURNED -> "returned " + text;
            case RETURNED_NOTHING -> "returned";
            case THREW -> "threw " + text;
            case UNKNOWN -> "didn't end";
        };
    }

    /** The class of what was thrown, without its message. */
    String thrownClass() {
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    private String kind() {
        return switch (end) {
            case RETURNED -> "returned " + kindOfValue();
            case THREW -> "threw " + thrownClass();
            case RETURNED_NOTHING, UNKNOWN -> end.name();
        };
    }

    private String kindOfValue() {
        if (text.equals("null") || text.equals("true") || text.equals("false")) {
            return text;
        }
        if (text.startsWith("\"")) {
            return text.equals("\"\"") ? "empty text" : "text";
        }
        if (text.startsWith("[")) {
            return text.equals("[]") ? "empty list" : "list";
        }
        if (NUMBER.matcher(text).matches()) {
            return NOT_ZERO.matcher(text).matches() ? text.startsWith("-") ? "below 0" : "above 0" : "0";
        }
        int brace = text.indexOf('{');
        if (brace >= 0) {
            return (text.startsWith("{}", brace) ? "empty " : "") + "object " + text.substring(0, brace);
        }
        if (PRIMITIVE_ARRAY.matcher(text).matches()) {
            return (text.endsWith("[0]") ? "empty " : "") + text.substring(0, text.indexOf('['));
        }
        return "other";
    }
}
