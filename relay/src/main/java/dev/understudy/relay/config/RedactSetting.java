package dev.understudy.relay.config;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The settings {@code redact} and {@code redact-values}: what is masked besides what always is. */
public final class RedactSetting {
    private static final int MOST = 200;
    private static final int MOST_VALUES = 50;
    private static final Pattern NAME = Pattern.compile("\\p{L}[\\p{L}\\p{N}_ -]{0,63}");

    private RedactSetting() {}

    /** One such name: it begins with a letter and has at most 64 characters. */
    public static Value<String> name() {
        return new Value<>(
                "the name of a field, such as diagnosis, home_address or X-Tenant",
                raw -> {
                    if (!NAME.matcher(raw).matches()) {
                        throw new IllegalArgumentException(raw);
                    }
                    return raw;
                },
                "placeholder");
    }

    /**
     * The form of values that are masked whatever they are called, the setting {@code redact-values}.
     *
     * @param parse refuses an expression by an exception for illegal arguments
     */
    public static <T> Value<T> value(Function<String, T> parse) {
        return new Value<>("a regular expression (RE2), such as EMP-[0-9]{6}", parse, parse.apply("placeholder"));
    }

    /** The forms that are set; none if it isn't. */
    public static <T> List<T> values(Section top, Function<String, T> parse) {
        List<T> values = top.listed("redact-values", value(parse));
        if (values.size() > MOST_VALUES) {
            top.problem("redact-values: " + values.size() + " expressions (expected: at most " + MOST_VALUES + ")");
            return List.of();
        }
        return values;
    }

    /** The names that are set; none if it isn't. */
    public static Set<String> read(Section top) {
        Set<String> names = new TreeSet<>(top.listed("redact", name()));
        if (names.size() > MOST) {
            top.problem("redact: " + names.size() + " names (expected: at most " + MOST + ")");
            names.clear();
        }
        return Collections.unmodifiableSet(names);
    }
}
