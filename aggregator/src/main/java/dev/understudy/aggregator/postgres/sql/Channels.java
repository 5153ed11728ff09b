package dev.understudy.aggregator.postgres.sql;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The channels that one session listens on; what a transaction changes holds once it is committed. Confined to its
 * connection.
 */
final class Channels {
    private static final Pattern NAME = Pattern.compile(
            "(?:UN)?LISTEN\\s+(?:\"((?:[^\"]|\"\")+)\"|(\\*)|([^\\s;]+))\\s*;?\\s*", Pattern.CASE_INSENSITIVE);

    /** Memory of a channel besides its name: here, in a transaction, and where its notifications are awaited. */
    private static final long PER_CHANNEL = 600;

    private Set<String> listened = Set.of();
    private @Nullable Set<String> pending;
    private long bytes;

    /** Those in force. */
    Set<String> listened() {
        return listened;
    }

    /** Memory that the channels take. */
    long heldBytes() {
        return bytes;
    }

    void begin() {
        if (pending == null) {
            pending = listened;
        }
    }

    void end(boolean committed) {
        if (pending != null && committed) {
            listened = pending;
        }
        pending = null;
        count();
    }

    void follow(PgStatementKind command, String sql) {
        Matcher statement = NAME.matcher(sql);
        if (command == PgStatementKind.DISCARD) {
            change(Set.of());
        } else if (statement.matches()) {
            Set<String> changed = new TreeSet<>(pending == null ? listened : pending);
            if (command == PgStatementKind.LISTEN) {
                changed.add(name(statement));
            } else if (statement.group(2) != null) {
                changed.clear();
            } else {
                changed.remove(name(statement));
            }
            change(Set.copyOf(changed));
        }
    }

    private void change(Set<String> to) {
        if (pending == null) {
            listened = to;
        } else {
            pending = to;
        }
        count();
    }

    private void count() {
        bytes = bytes(listened) + (pending == null ? 0 : bytes(pending));
    }

    private static long bytes(Set<String> names) {
        return names.stream()
                .mapToLong(name -> PER_CHANNEL + 2L * name.length())
                .sum();
    }

    private static String name(Matcher statement) {
        String quoted = statement.group(1);
        return quoted != null
                ? quoted.replace("\"\"", "\"")
                : String.valueOf(statement.group(3)).toLowerCase(Locale.ROOT);
    }
}
