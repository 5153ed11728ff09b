package dev.understudy.aggregator.mysql.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import dev.understudy.aggregator.match.SqlTrace;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical forms of what a client asks for. A statement that was prepared has another form than its text
 * sent as it is, because its rows come in another format.
 *
 * <p>Texts are bytes of the client's character set, one to a {@code char}, so that no two different ones meet.
 */
public final class MySqlForms {
    /** Stands for a login among the commands. */
    public static final int LOGIN = 0;

    private static final SqlTrace TRACE = new SqlTrace(MySqlText::comments);
    private static final int SQL_SHOWN = 260;
    private static final String TRACEPARENT = "traceparent";
    private static final Set<String> BEFORE_A_TABLE = Set.of("FROM", "INTO", "UPDATE", "CALL");

    private MySqlForms() {}

    /** Bytes of SQL as the text that everything here works on. */
    public static String text(byte[] sql) {
        return new String(sql, StandardCharsets.ISO_8859_1);
    }

    /** A name as COM_INIT_DB has it. */
    public static String name(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The text of a statement as it counts: without blanks and semicolons at its ends, and without its trace. */
    public static String canonical(String statement) {
        String sql = TRACE.left(statement);
        int end = sql.length();
        while (end > 0 && (sql.charAt(end - 1) == ';' || sql.charAt(end - 1) <= ' ')) {
            end--;
        }
        return sql.substring(0, end).strip();
    }

    /** The trace that a statement names in a comment or an attribute; null if it names none. */
    public static @Nullable TraceId trace(String statement, List<BoundValue> attributes) {
        for (BoundValue attribute : attributes) {
            byte[] value = attribute.value();
            if (attribute.name().equals(TRACEPARENT) && value != null) {
                return TraceId.ofTraceparent(new String(value, StandardCharsets.US_ASCII));
            }
        }
        return TRACE.trace(statement);
    }

    /** A statement sent as text, with the attributes that the client sent beside it. */
    public static Form query(
            MySqlSession session, String sql, MySqlStatementKind command, List<BoundValue> attributes) {
        return statement(session, "text", sql, command, attributes);
    }

    /** A prepared statement with all of its values. */
    public static Form prepared(MySqlSession session, String sql, MySqlStatementKind command, List<BoundValue> values) {
        return statement(session, "prepared", sql, command, values);
    }

    /** Preparing a statement: what is known of it by. */
    public static Form preparing(MySqlSession session, String sql) {
        MySqlSessionState state = session.state().outsideTransactions();
        List<byte[]> parts = parts("prepare", state, session.spelled(sql));
        return Form.of("prepare", "to prepare " + shown(sql), parts.toArray(byte[][]::new));
    }

    /** A command of the protocol that concerns its own session only; what it names isn't shown, and counts. */
    public static Form command(int code, byte[] argument) {
        return command(code, argument, "");
    }

    /** A command that names a database, or a login, as far as that is concerned. */
    public static Form database(int code, String database) {
        return command(code, database.getBytes(StandardCharsets.UTF_8), " with the database " + Form.line(database));
    }

    private static Form command(int code, byte[] argument, String named) {
        byte[][] parts = {{(byte) code}, argument};
        return Form.of("command", "command " + code + " of the protocol" + named, parts);
    }

    private static Form statement(
            MySqlSession session, String kind, String sql, MySqlStatementKind command, List<BoundValue> values) {
        MySqlSessionState state = session.state();
        String counted = session.spelled(sql);
        List<byte[]> parts = parts(kind, state, counted);
        RequestOutline.Builder outline = new RequestOutline.Builder()
                .add("sql", counted)
                .add("database", state.database())
                .add("settings", state.settings())
                .add("transaction", state.transaction());
        StringBuilder text = new StringBuilder(shown(sql));
        String separator = " [";
        for (BoundValue value : values) {
            if (!value.name().equals(TRACEPARENT)) {
                byte[] canonical = value.canonical();
                parts.add(canonical);
                outline.add(value.name().isEmpty() ? "parameter" : value.name(), Arrays.hashCode(canonical));
                if (text.length() < Form.MAX_TEXT) {
                    text.append(separator).append(value.display());
                }
                separator = ", ";
            }
        }
        text.append(separator.equals(", ") ? "]" : "");
        long remembered = session.remembers(counted);
        parts.add(ByteBuffer.allocate(Long.BYTES).putLong(remembered).array());
        text.append(" in ")
                .append(state.display())
                .append(remembered == 0 ? "" : ", after what the session did before");
        outline.add("what the session did before", remembered);
        Form form = Form.of(MySqlText.family(sql, BEFORE_A_TABLE), text.toString(), parts.toArray(byte[][]::new))
                .with(outline.build(new RequestOutline.Builder()));
        return command.reads() && remembered == 0 ? form.asRepeatable() : form;
    }

    private static List<byte[]> parts(String kind, MySqlSessionState state, String sql) {
        List<byte[]> parts = new ArrayList<>();
        for (String part : List.of(kind, state.database(), state.settings(), state.transaction())) {
            parts.add(part.getBytes(StandardCharsets.UTF_8));
        }
        parts.add(sql.getBytes(StandardCharsets.ISO_8859_1));
        return parts;
    }

    /** Only what is plain ASCII is sure to be shown as it was meant. */
    private static String shown(String sql) {
        return Form.line(MySqlText.display(sql, SQL_SHOWN));
    }
}
