package dev.understudy.mcp.tool;

import dev.understudy.relay.log.Printable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types that parameters of tools have. */
enum ToolParameterType {
    /** A {@link String}. */
    TEXT("string"),
    /** A {@link Long}. */
    NUMBER("integer"),
    /** A {@link Boolean}. */
    FLAG("boolean"),
    /** A list of {@link String}. */
    TEXTS("array");

    private static final int SHOWN = 60;

    private final String word;

    ToolParameterType(String word) {
        this.word = word;
    }

    /** Its name in JSON Schema. */
    String word() {
        return word;
    }

    /** The value as this type has it; null if it isn't allowed. */
    @Nullable
    Object read(ToolParameter parameter, @Nullable Object given) {
        return switch (this) {
            case TEXT -> {
                boolean fits = given instanceof String text
                        && isText(text, parameter.most())
                        && (parameter.choices().isEmpty() || parameter.choices().contains(text));
                yield fits ? given : null;
            }
            case NUMBER -> number(parameter, given);
            case FLAG -> given instanceof Boolean ? given : null;
            case TEXTS -> texts(parameter, given);
        };
    }

    /** What stands in a message for a wrong value: short, and fit for show. */
    static String shown(@Nullable Object given) {
        if (given instanceof String text) {
            String begin = text.substring(0, Math.min(text.length(), SHOWN));
            String end = text.length() > SHOWN ? "…' (" + text.length() + " characters)" : "'";
            return "'" + Printable.of(begin) + end;
        }
        if (given instanceof List<?> list) {
            return "a list of " + list.size();
        }
        if (given instanceof Number || given instanceof Boolean) {
            String text = given instanceof BigInteger ? "a very large number" : String.valueOf(given);
            return text.substring(0, Math.min(text.length(), SHOWN));
        }
        return given == null ? "null" : "an object";
    }

    private static @Nullable Long number(ToolParameter parameter, @Nullable Object given) {
        if (!(given instanceof Integer || given instanceof Long)) {
            return null;
        }
        long value = ((Number) given).longValue();
        return value >= parameter.least() && value <= parameter.most() ? value : null;
    }

    private static @Nullable List<String> texts(ToolParameter parameter, @Nullable Object given) {
        if (!(given instanceof List<?> list) || list.isEmpty() || list.size() > parameter.most()) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text) || !isText(text, ToolParameter.LONGEST_ELEMENT)) {
                return null;
            }
            texts.add(text);
        }
        return texts;
    }

    private static boolean isText(String text, long most) {
        return !text.isEmpty() && text.length() <= most && text.codePoints().noneMatch(Printable::isControl);
    }
}
