package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.wire.mysql.command.BoundValue;
import java.util.List;

/**
 * What a COM_QUERY asks for: one statement, or several in one text.
 *
 * @param sql the canonical text of all
 * @param command the kind of the only statement; {@link Command#OTHER} for several
 * @param statements canonical, without those that are empty
 */
public record Script(String sql, Command command, List<String> statements) {

    /** Reads a text. */
    public static Script of(String text) {
        String sql = Forms.canonical(text);
        List<String> statements = SqlText.statements(sql);
        Command command = statements.size() == 1 ? Command.of(statements.get(0)) : Command.OTHER;
        return new Script(sql, command, statements);
    }

    /** A session ran so many of the statements, and the server refused none of these. */
    public void ran(Session session, int count, List<BoundValue> values) {
        if (statements.size() == 1) {
            session.ran(command, sql, values);
            return;
        }
        for (String statement : statements.subList(0, Math.min(count, statements.size()))) {
            session.ran(Command.of(statement), statement, values);
        }
    }
}
