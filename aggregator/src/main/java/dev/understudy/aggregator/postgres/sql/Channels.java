package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.sql.PostgresText;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The channels that one session listens on; what a transaction changes holds once it is committed. Confined to its
 * connection.
 */
final class Channels {
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
        List<String> words = PostgresText.firstWords(sql, 2);
        String name = PostgresText.lastName(sql);
        if (command == PgStatementKind.DISCARD) {
            change(Set.of());
        } else if (!name.isEmpty() || words.contains("*")) {
            Set<String> changed = new TreeSet<>(pending == null ? listened : pending);
            if (name.isEmpty()) {
                changed.clear();
            } else if (command == PgStatementKind.LISTEN) {
                changed.add(name);
            } else {
                changed.remove(name);
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
}
