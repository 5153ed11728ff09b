package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The run-time settings of one session, as far as they were announced or set in plain words. Names in lower case. Confined
 * to its connection.
 */
public final class Settings {
    private static final Pattern SET = Pattern.compile(
            "SET\\s+(?:SESSION\\s+|LOCAL\\s+)?(?:TIME\\s+ZONE\\s|([\\w.]+)(?:\\s*=|\\s+TO\\s))\\s*"
                    + "(?:'((?:[^']|'')*+)'|([^\\s';]+))[\\s;]*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern ISOLATION = Pattern.compile(
            "SET\\s+SESSION\\s+CHARACTERISTICS\\s+AS\\s+TRANSACTION\\s+ISOLATION\\s+LEVEL\\s+(\\w+(?:\\s+\\w+)?)[\\s;]*",
            Pattern.CASE_INSENSITIVE);

    private final Map<String, String> values = new HashMap<>();
    private TextStyle style = TextStyle.DEFAULT;

    /** Sets one, as ParameterStatus or the start-up packet say it. */
    public void put(String name, String value) {
        values.put(name.toLowerCase(Locale.ROOT), value);
        style = TextStyle.of(values);
    }

    public @Nullable String get(String name) {
        return values.get(name.toLowerCase(Locale.ROOT));
    }

    /** How the server writes text for this session. */
    public TextStyle style() {
        return style;
    }

    /**
     * Follows a SET of a single plain value.
     *
     * @return the name of the setting that has changed; null if the statement is of another shape
     */
    public @Nullable String follow(String statement) {
        Matcher isolation = ISOLATION.matcher(statement);
        if (isolation.matches()) {
            put(
                    "transaction_isolation",
                    isolation.group(1).toLowerCase(Locale.ROOT).replaceAll("\\s+", " "));
            return "transaction_isolation";
        }
        Matcher set = SET.matcher(statement);
        if (!set.matches()) {
            return null;
        }
        String name = set.group(1) == null ? "timezone" : set.group(1).toLowerCase(Locale.ROOT);
        String quoted = set.group(2);
        put(name, quoted == null ? set.group(3) : quoted.replace("''", "'"));
        return name;
    }
}
