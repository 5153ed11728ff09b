package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.sql.PostgresText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The modes of a transaction (isolation level, read only, deferrable, snapshot) under the names that they have as
 * settings of the open transaction. With {@code default_} before it, a name is the setting that transactions to come
 * begin with.
 */
final class PgTransactionModes {
    static final String LEVEL = "transaction_isolation";
    static final String READ_ONLY = "transaction_read_only";
    private static final String DEFERRABLE = "transaction_deferrable";
    private static final String SNAPSHOT = "transaction_snapshot";
    private static final String DEFAULT = "default_";
    private static final List<String> ALL = List.of(LEVEL, READ_ONLY, DEFERRABLE, SNAPSHOT);
    private static final int MOST_WORDS = 24;

    /** What pools go back to: the same as if a session had never chosen a level. */
    private static final String USUAL_LEVEL = "read committed";

    /** And what PostgreSQL takes for it. */
    private static final Set<String> USUAL = Set.of(USUAL_LEVEL, "read uncommitted", "off");

    private PgTransactionModes() {}

    static boolean one(String name) {
        return ALL.contains(name);
    }

    static boolean inherited(String name) {
        return name.startsWith(DEFAULT) && one(name.substring(DEFAULT.length()));
    }

    /** Under which transactions to come have this mode. */
    static String inherited(String mode, boolean ofSession) {
        return ofSession ? DEFAULT + mode : mode;
    }

    /** A mode's value in the server's words. */
    static String value(String name, String written) {
        String value = written.toLowerCase(Locale.ROOT);
        boolean onOrOff = name.endsWith(READ_ONLY) || name.endsWith(DEFERRABLE);
        return !onOrOff ? value : value.equals("on") || value.matches("[ty1].*") ? "on" : "off";
    }

    /** The modes among these settings. */
    static Map<String, String> of(Map<String, String> settings) {
        Map<String, String> modes = new TreeMap<>(settings);
        modes.keySet().retainAll(ALL);
        return modes;
    }

    /** What an open transaction has from the session's settings at its beginning. */
    static Map<String, String> begun(Map<String, String> settings) {
        Map<String, String> modes = new TreeMap<>();
        for (String mode : ALL) {
            String value = settings.get(DEFAULT + mode);
            if (value != null) {
                modes.put(mode, value);
            }
        }
        return modes;
    }

    /**
     * Whether a SET is about all transactions of its session (true), about the open one (false), or about neither
     * (null).
     */
    static @Nullable Boolean ofSession(List<String> words) {
        int scope = words.size() > 1 && Set.of("SESSION", "LOCAL").contains(words.get(1)) ? 2 : 1;
        String first = words.size() > scope ? words.get(scope) : "";
        return first.equals("TRANSACTION") ? Boolean.FALSE : first.equals("CHARACTERISTICS") ? Boolean.TRUE : null;
    }

    static List<String> words(String sql) {
        return PostgresText.firstWords(sql, MOST_WORDS);
    }

    /** The modes that a BEGIN, START TRANSACTION or SET names. */
    static Map<String, String> named(List<String> words, String sql) {
        Map<String, String> modes = new TreeMap<>();
        for (int i = 1; i < words.size(); i++) {
            String before = words.get(i - 1);
            switch (words.get(i)) {
                case "SERIALIZABLE" -> modes.put(LEVEL, "serializable");
                case "COMMITTED" -> modes.put(LEVEL, "read committed");
                case "UNCOMMITTED" -> modes.put(LEVEL, "read uncommitted");
                case "REPEATABLE" -> modes.put(LEVEL, "repeatable read");
                case "ONLY" -> modes.put(READ_ONLY, "on");
                case "WRITE" -> modes.put(READ_ONLY, "off");
                case "DEFERRABLE" -> modes.put(DEFERRABLE, before.equals("NOT") ? "off" : "on");
                case "SNAPSHOT" -> modes.put(SNAPSHOT, sql.substring(sql.lastIndexOf(' ') + 1));
                default -> {
                    // TRANSACTION, ISOLATION, LEVEL, READ, NOT, commas
                }
            }
        }
        return modes;
    }

    /** What the server says to modes that come too late; null if these don't. */
    static @Nullable String tooLate(
            Map<String, String> named, UnaryOperator<@Nullable String> value, boolean queried, boolean nested) {
        String level = named.get(LEVEL);
        String before = value.apply(LEVEL);
        if (level != null && !level.equals(before == null ? USUAL_LEVEL : before) && (queried || nested)) {
            return "SET TRANSACTION ISOLATION LEVEL must "
                    + (queried ? "be called before any query" : "not be called in a subtransaction");
        }
        boolean writable = "off".equals(named.get(READ_ONLY)) && "on".equals(value.apply(READ_ONLY));
        if (writable && nested) {
            return "cannot set transaction read-write mode inside a read-only transaction";
        }
        return writable && queried ? "transaction read-write mode must be set before any query" : null;
    }

    /** What differs from the usual, as one text. */
    static String unusual(UnaryOperator<@Nullable String> value) {
        StringBuilder unusual = new StringBuilder();
        for (String mode : ALL) {
            String own = value.apply(mode);
            if (own != null && !USUAL.contains(own)) {
                unusual.append(unusual.isEmpty() ? "" : ", ")
                        .append(mode)
                        .append('=')
                        .append(own);
            }
        }
        return unusual.toString();
    }
}
