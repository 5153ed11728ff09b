package dev.understudy.relay.config;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The setting {@code redact}: the names of fields whose values are masked, besides those that always are. */
public final class RedactSetting {
    private static final int MOST = 200;
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

    /** Those that are set; none if it isn't. */
    public static Set<String> read(Section top) {
        Set<String> names = new TreeSet<>(top.listed("redact", name()));
        if (names.size() > MOST) {
            top.problem("redact: " + names.size() + " names (expected: at most " + MOST + ")");
            names.clear();
        }
        return Collections.unmodifiableSet(names);
    }
}
