package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the canonical forms of what a client asks for.
 *
 * <p>One statement has the same form in the simple and in the extended protocol, under any statement and portal names,
 * with parameters in either encoding ({@link Parameter}) and with any fetch size.
 */
public final class PgForms {
    private static final int SQL_SHOWN = 260;

    private PgForms() {}

    /** A statement without parameters. */
    public static Form statement(PgSessionState state, String sql, PgStatementKind command) {
        return statement(state, new Wording(sql, command), List.of());
    }

    /** A statement with its parameters, none left out. */
    public static Form statement(PgSessionState session, Wording wording, List<Parameter> parameters) {
        PgStatementKind command = wording.command();
        PgSessionState state = command.lasting() || command.local() ? session.lasting() : session;
        List<byte[]> parts = new ArrayList<>(parameters.size() + 3);
        parts.addAll(parts(state));
        parts.add(wording.bytes(session.spelling()));
        RequestOutline.Builder outline = new RequestOutline.Builder()
                .add("sql", wording.counted(state.spelling()))
                .add("database", state.database())
                .add("settings", state.settings())
                .add("transaction", state.transaction());
        StringBuilder text = new StringBuilder(wording.shown());
        for (int i = 0; i < parameters.size(); i++) {
            byte[] canonical = parameters.get(i).canonical();
            parts.add(canonical);
            outline.add("parameter " + (i + 1), Arrays.hashCode(canonical));
            text.append(i == 0 ? " [" : ", ").append(parameters.get(i).display());
        }
        text.append(parameters.isEmpty() ? "" : "]").append(" in ").append(state.display());
        Form form = Form.of(wording.family(), text.toString(), parts.toArray(byte[][]::new))
                .with(outline.build(new RequestOutline.Builder()));
        return command == PgStatementKind.READ || command.lasting() ? form.asRepeatable() : form;
    }

    /** Several statements in one text of the simple protocol. */
    public static Form script(PgSessionState state, String text) {
        byte[] request = new Wording(TraceComment.left(text), PgStatementKind.OTHER).bytes(state.spelling());
        return whole(state, "script", PostgresText.display(text, SQL_SHOWN), request)
                .in(TraceComment.trace(text));
    }

    /** What a client may do with a portal. */
    public enum PortalStep {
        DESCRIBE,
        EXECUTE
    }

    /** A step with a portal that the protocol didn't make. */
    public static Form portal(PgSessionState state, PortalStep step, String name) {
        String text = (step == PortalStep.DESCRIBE ? "describing" : "executing") + " the portal " + name;
        return whole(state, "portal", text, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A function called by its oid. */
    public static Form call(PgSessionState state, PgMessage functionCall) {
        return whole(state, "call", "function " + functionCall.reader().int32(), functionCall.body());
    }

    /** The data of a COPY … FROM STDIN, as a request of its own. */
    static Form copied(PgSessionState state, String sql, String text, byte[]... data) {
        List<byte[]> parts = new ArrayList<>(parts(state));
        parts.add("copied".getBytes(StandardCharsets.UTF_8));
        Wording wording = new Wording(sql);
        parts.add(wording.bytes(state.spelling()));
        parts.addAll(List.of(data));
        return Form.of(
                wording.family(),
                PostgresText.display(text, SQL_SHOWN) + " in " + state.display(),
                parts.toArray(byte[][]::new));
    }

    /** The rest of a result that is recorded in parts; nobody else asks for it. */
    public static Form continuation(long connection, long number) {
        String text = "the rest of result " + number + " on connection " + connection;
        return Form.of("rest", text, new byte[0], text.getBytes(StandardCharsets.UTF_8));
    }

    private static Form whole(PgSessionState state, String family, String text, byte[] request) {
        List<byte[]> parts = new ArrayList<>(parts(state));
        parts.add(family.getBytes(StandardCharsets.UTF_8));
        parts.add(request);
        return Form.of(family, text + " in " + state.display(), parts.toArray(byte[][]::new));
    }

    private static List<byte[]> parts(PgSessionState state) {
        return List.of(
                state.database().getBytes(StandardCharsets.UTF_8),
                state.chosen().getBytes(StandardCharsets.UTF_8));
    }

    /** The text of a statement as it counts: without blanks and semicolons at its ends, and without its trace. */
    public static String canonical(String statement) {
        String sql = TraceComment.left(statement);
        int end = sql.length();
        while (end > 0 && (sql.charAt(end - 1) == ';' || Character.isWhitespace(sql.charAt(end - 1)))) {
            end--;
        }
        return sql.substring(0, end).strip();
    }
}
