package dev.understudy.aggregator.postgres.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a statement makes of one setting, by SET or by {@code set_config}.
 *
 * @param name in lower case, as the server calls it
 * @param value as written, without its quotes; parameters stand for it together
 * @param locally whether the transaction's end takes it back
 * @param isWritten whether the value is in the statement's text
 */
record SettingChoice(String name, String value, boolean locally, boolean isWritten) {
    static final String AUTHORIZATION = "session authorization";

    private static final Pattern SET = Pattern.compile(
            "SET\\s+(SESSION\\s+|LOCAL\\s+)?(?:(TIME\\s+ZONE|NAMES|ROLE|SESSION\\s+AUTHORIZATION)\\s"
                    + "|([\\w.]+)(?:\\s*=|\\s+TO\\s))\\s*(.+)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern SET_CONFIG =
            Pattern.compile("\\bset_config\\s*\\(\\s*'([\\w.]+)'\\s*,\\s*(?:'([^']*)')?", Pattern.CASE_INSENSITIVE);
    private static final Pattern LOCALLY = Pattern.compile(",\\s*(?:true|'t'|'true')\\s*\\)", Pattern.CASE_INSENSITIVE);
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][\\w$]*");

    /** The choice that a SET makes; null if it is none of one setting. */
    static @Nullable SettingChoice bySet(String sql) {
        Matcher set = SET.matcher(sql);
        if (!set.matches()) {
            return null;
        }
        String named = set.group(2) != null ? set.group(2).replaceAll("\\s+", " ") : set.group(3);
        String scope = set.group(1);
        boolean locally = scope != null && scope.toUpperCase(Locale.ROOT).startsWith("LOCAL");
        return new SettingChoice(known(named.toLowerCase(Locale.ROOT)), unquoted(set.group(4)), locally, true);
    }

    /** Those that a statement's calls of {@code set_config} make. */
    static List<SettingChoice> byCalls(String sql, List<Parameter> parameters) {
        if (!hasCalls(sql)) {
            return List.of();
        }
        List<SettingChoice> choices = new ArrayList<>();
        Matcher call = SET_CONFIG.matcher(sql);
        while (call.find()) {
            boolean isWritten = call.group(2) != null;
            String value = isWritten
                    ? call.group(2)
                    : parameters.stream().map(Parameter::token).collect(Collectors.joining(" "));
            boolean locally = LOCALLY.matcher(sql).find(call.end());
            choices.add(new SettingChoice(known(call.group(1).toLowerCase(Locale.ROOT)), value, locally, isWritten));
        }
        return choices;
    }

    /** The settings that these calls name, as they name them. */
    static Set<String> namedByCalls(String sql) {
        return hasCalls(sql)
                ? SET_CONFIG
                        .matcher(sql)
                        .results()
                        .map(call -> call.group(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** Spares almost all statements the pattern. */
    private static boolean hasCalls(String sql) {
        return sql.contains("set_config") || sql.contains("SET_CONFIG");
    }

    /** A setting's own name. */
    static String known(String name) {
        return switch (name) {
            case "time zone" -> "timezone";
            case "names" -> "client_encoding";
            case "session_authorization" -> AUTHORIZATION;
            default -> name;
        };
    }

    /** One literal or identifier as the server reads it; several as they are. */
    private static String unquoted(String value) {
        for (String quote : List.of("'", "\"")) {
            if (value.length() >= 2 && value.startsWith(quote) && value.endsWith(quote)) {
                String inner = value.substring(1, value.length() - 1);
                boolean one = !inner.replace(quote + quote, "").contains(quote);
                return one ? inner.replace(quote + quote, quote) : value;
            }
        }
        return WORD.matcher(value).matches() ? value.toLowerCase(Locale.ROOT) : value;
    }
}
