package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The run-time settings of one session: as announced, as given at its start, and as set by SET, RESET and {@code
 * set_config}, undone where a transaction ends. Names in lower case. Confined to its connection.
 *
 * <p>ROLLBACK TO a savepoint does not undo settings here.
 */
public final class Settings {
    private static final Pattern SET = Pattern.compile(
            "SET\\s+(SESSION\\s+|LOCAL\\s+)?(?:TIME\\s+ZONE\\s|(ROLE|SESSION\\s+AUTHORIZATION)\\s|([\\w.]+)(?:\\s*=|\\s+TO\\s))"
                    + "\\s*(.+)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern ISOLATION = Pattern.compile(
            "SET\\s+SESSION\\s+CHARACTERISTICS\\s+AS\\s+TRANSACTION\\s+ISOLATION\\s+LEVEL\\s+(\\w+(?:\\s+\\w+)?)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SET_CONFIG =
            Pattern.compile("\\bset_config\\s*\\(\\s*'([\\w.]+)'\\s*,\\s*(?:'([^']*)')?", Pattern.CASE_INSENSITIVE);
    private static final Pattern LOCALLY = Pattern.compile(",\\s*(?:true|'t'|'true')\\s*\\)", Pattern.CASE_INSENSITIVE);
    private static final String LEVEL = "transaction_isolation";

    /** What pools go back to: the same as if a session had never chosen one. */
    private static final String USUAL_LEVEL = "read committed";

    private static final Set<String> DECISIVE = Set.of("search_path", "role", "session authorization", "options");

    private final Map<String, String> announced = new HashMap<>();
    private final Map<String, String> chosen = new TreeMap<>();
    private final Map<String, String> atStart = new TreeMap<>();
    private final Set<String> local = new HashSet<>();
    private final Channels channels = new Channels();
    private @Nullable Map<String, String> beforeTransaction;
    private String database = "";
    private TextStyle style = TextStyle.DEFAULT;
    private SessionState state = new SessionState("", "");

    /** The session begins with these, as its start-up packet says. */
    public void start(Map<String, String> parameters) {
        String user = parameters.getOrDefault("user", "");
        database = parameters.getOrDefault("database", user);
        parameters.forEach((name, value) -> {
            if (decisive(name.toLowerCase(Locale.ROOT))) {
                atStart.put(name.toLowerCase(Locale.ROOT), value);
            } else {
                announced.put(name.toLowerCase(Locale.ROOT), value);
            }
        });
        chosen.putAll(atStart);
        changed();
    }

    /** The server says that a setting has this value. */
    public void announce(String name, String value) {
        announced.put(name.toLowerCase(Locale.ROOT), value);
        changed();
    }

    /** The value of a setting; null if it was neither chosen nor announced. */
    public @Nullable String get(String name) {
        String own = chosen.get(name.toLowerCase(Locale.ROOT));
        return own != null ? own : announced.get(name.toLowerCase(Locale.ROOT));
    }

    /** How the server writes text for this session. */
    public TextStyle style() {
        return style;
    }

    /** What of all this decides which answers statements get. */
    public SessionState state() {
        return state;
    }

    /** The same for one statement: what it is about to set does not count. */
    public SessionState stateFor(String sql) {
        if (!setsConfig(sql)) {
            return state;
        }
        Set<String> names = new HashSet<>();
        Matcher call = SET_CONFIG.matcher(sql);
        while (call.find()) {
            names.add(call.group(1).toLowerCase(Locale.ROOT));
        }
        return new SessionState(database, decisive(names), isolation());
    }

    /** The channels that the session listens on. */
    public Set<String> channels() {
        return channels.listened();
    }

    /** A transaction block begins. */
    public void begin() {
        channels.begin();
        if (beforeTransaction == null) {
            beforeTransaction = new TreeMap<>(chosen);
        }
    }

    /** The transaction block has ended. */
    public void end(boolean committed) {
        channels.end(committed);
        Map<String, String> before = beforeTransaction;
        if (before == null) {
            return;
        }
        beforeTransaction = null;
        if (committed) {
            local.forEach(name -> restore(name, before));
        } else {
            chosen.clear();
            chosen.putAll(before);
        }
        local.clear();
        changed();
    }

    /** The session is as it was at its start. */
    public void reset() {
        chosen.clear();
        chosen.putAll(atStart);
        changed();
    }

    /**
     * Follows a statement that the session ran.
     *
     * @return the name of the setting that has changed, where it is one alone and is known; else null
     */
    public @Nullable String follow(Command command, String statement, List<Parameter> parameters) {
        String sql = Forms.canonical(statement);
        return switch (command) {
            case SET -> set(sql);
            case RESET -> reset(sql);
            case LISTEN, UNLISTEN -> {
                channels.follow(command, sql);
                yield null;
            }
            case DISCARD -> {
                channels.follow(command, sql);
                reset();
                yield null;
            }
            default -> {
                setConfig(sql, parameters);
                yield null;
            }
        };
    }

    private @Nullable String set(String sql) {
        Matcher isolation = ISOLATION.matcher(sql);
        if (isolation.matches()) {
            String level = isolation.group(1).toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
            choose(LEVEL, level, false);
            return LEVEL;
        }
        Matcher set = SET.matcher(sql);
        if (!set.matches()) {
            return null;
        }
        String named = set.group(2) != null ? set.group(2).replaceAll("\\s+", " ") : set.group(3);
        String name = named == null ? "timezone" : named.toLowerCase(Locale.ROOT);
        String scope = set.group(1);
        choose(
                name,
                unquoted(set.group(4)),
                scope != null && scope.toUpperCase(Locale.ROOT).startsWith("LOCAL"));
        return name;
    }

    /** The value may be in the text, or in the parameters, which then stand for it together. */
    private void setConfig(String sql, List<Parameter> parameters) {
        if (!setsConfig(sql)) {
            return;
        }
        Matcher call = SET_CONFIG.matcher(sql);
        while (call.find()) {
            String name = call.group(1).toLowerCase(Locale.ROOT);
            String value = call.group(2) != null
                    ? call.group(2)
                    : parameters.stream().map(Parameter::token).collect(Collectors.joining(" "));
            if (decisive(name) || call.group(2) != null) {
                choose(name, value, LOCALLY.matcher(sql).find(call.end()));
            }
        }
    }

    private @Nullable String reset(String sql) {
        String name = sql.substring(5).strip().toLowerCase(Locale.ROOT);
        if (name.equals("all")) {
            reset();
            return null;
        }
        restore(name.equals("time zone") ? "timezone" : name, atStart);
        changed();
        return name;
    }

    private void choose(String name, String value, boolean locally) {
        if (locally && beforeTransaction == null) {
            return; // no effect outside a block
        }
        if (value.equalsIgnoreCase("default")) {
            restore(name, atStart);
        } else {
            chosen.put(name, value);
        }
        if (locally) {
            local.add(name);
        } else {
            local.remove(name);
        }
        changed();
    }

    private void restore(String name, Map<String, String> from) {
        String value = from.get(name);
        if (value == null) {
            chosen.remove(name);
        } else {
            chosen.put(name, value);
        }
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("'") && value.indexOf('\'', 1) == value.length() - 1;
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Spares almost all statements the pattern. */
    private static boolean setsConfig(String sql) {
        return sql.contains("set_config") || sql.contains("SET_CONFIG");
    }

    private static boolean decisive(String name) {
        return DECISIVE.contains(name) || name.indexOf('.') >= 0;
    }

    private void changed() {
        Map<String, String> all = new HashMap<>(announced);
        all.putAll(chosen);
        style = TextStyle.of(all);
        state = new SessionState(database, decisive(Set.of()), isolation());
    }

    private String isolation() {
        String level = chosen.getOrDefault(LEVEL, USUAL_LEVEL);
        return level.equals(USUAL_LEVEL) ? "" : level;
    }

    private String decisive(Set<String> without) {
        StringBuilder decisive = new StringBuilder();
        chosen.forEach((name, value) -> {
            if (decisive(name) && !without.contains(name)) {
                decisive.append(decisive.isEmpty() ? "" : ", ")
                        .append(name)
                        .append('=')
                        .append(value);
            }
        });
        return decisive.toString();
    }
}
