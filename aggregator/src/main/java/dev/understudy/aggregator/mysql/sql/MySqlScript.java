package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a COM_QUERY asks for: one statement, or several in one text.
 *
 * @param sql the canonical text of all
 * @param command the kind of the only statement; {@link MySqlStatementKind#OTHER} for several
 * @param statements canonical, without those that are empty
 */
public record MySqlScript(String sql, MySqlStatementKind command, List<String> statements) {
    /** Characters of a long text by which it is known what it asks of the session. */
    private static final int BEGINNING = 4096;

    /** Memory of a statement besides its text. */
    private static final long PER_STATEMENT = 64;

    private static final Set<String> WRITING = Set.of("INSERT", "REPLACE", "UPDATE");

    /** What may read as well, or instead; values to variables go by these words. */
    private static final Set<String> READING = Set.of("SELECT", "DELETE", "WITH");

    /** Reads a text. */
    public static MySqlScript of(String text) {
        String sql = MySqlForms.canonical(text);
        List<String> statements = MySqlText.statements(sql);
        MySqlStatementKind command =
                statements.size() == 1 ? MySqlStatementKind.of(statements.get(0)) : MySqlStatementKind.OTHER;
        return new MySqlScript(sql, command, statements);
    }

    /**
     * Reads the beginning of a text that is too long to be held, and is one statement; it counts as a write.
     *
     * @return null if a session would be followed by more of it
     */
    public static @Nullable MySqlScript begun(String beginning, LongRest rest) {
        String text = beginning.substring(0, Math.min(beginning.length(), BEGINNING));
        List<String> words = MySqlText.firstWords(text, 1);
        String first = words.isEmpty() ? "" : words.get(0);
        boolean unfollowed = READING.contains(first)
                && rest.words().stream()
                        .noneMatch(Set.of(SessionWords.VARIABLE, SessionWords.ASSIGNED, SessionWords.INTO)::contains);
        if (!unfollowed && !WRITING.contains(first)) {
            return null;
        }
        String sql = MySqlForms.canonical(text) + rest.text();
        return new MySqlScript(sql, MySqlStatementKind.OTHER, List.of(sql));
    }

    /** Memory that it takes. */
    public long heldBytes() {
        long bytes = 2L * sql.length();
        for (String statement : statements) {
            bytes += PER_STATEMENT + 2L * statement.length();
        }
        return bytes;
    }

    /** A session ran so many of the statements, and the server refused none of these. */
    public void ran(MySqlSession session, int count, List<BoundValue> values) {
        if (statements.size() == 1) {
            session.ran(command, sql, values);
            return;
        }
        for (String statement : statements.subList(0, Math.min(count, statements.size()))) {
            session.ran(MySqlStatementKind.of(statement), statement, values);
        }
    }
}
