package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.PgValues;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical forms of what a client asks for.
 *
 * <p>One statement has the same form in the simple and in the extended protocol, under any statement and portal names,
 * with parameters in either encoding and with any fetch size. The declared parameter types count, the inferred ones
 * don't: {@link InferredTypes}.
 */
public final class Forms {
    private static final int SQL_SHOWN = 260;
    private static final Set<String> BEFORE_A_TABLE = Set.of("FROM", "INTO", "UPDATE");
    /** Types whose values are shown to people; others may hold secrets, so that only their length is. */
    private static final Set<Integer> SHOWN =
            Set.of(16, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1266, 1700, 2950);

    private Forms() {}

    /** One statement, without or with parameters. */
    public static Form statement(
            String sql, Command command, List<Integer> types, Formats formats, List<byte @Nullable []> parameters) {
        List<byte[]> parts = new ArrayList<>(parameters.size() + 1);
        parts.add(sql.getBytes(StandardCharsets.UTF_8));
        StringBuilder text = new StringBuilder(SqlText.display(sql, SQL_SHOWN));
        for (int i = 0; i < parameters.size(); i++) {
            byte[] value = parameters.get(i);
            int type = i < types.size() ? types.get(i) : 0;
            String canonical = value == null ? null : PgValues.canonical(type, formats.binary(i), value);
            parts.add(part(type, formats.binary(i), value, canonical));
            text.append(i == 0 ? " [" : ", ").append(shown(type, value, canonical));
        }
        text.append(parameters.isEmpty() ? "" : "]");
        Form form = Form.of(family(sql), text.toString(), parts.toArray(byte[][]::new));
        return command == Command.READ || command.lasting() ? form.asRepeatable() : form;
    }

    /** Several statements in one text of the simple protocol. */
    public static Form script(String text) {
        return Form.of("script", SqlText.display(text, SQL_SHOWN), text.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }

    /** A function called by its oid. */
    public static Form call(PgMessage functionCall) {
        int function = functionCall.reader().int32();
        return Form.of("call", "function " + function, new byte[0], functionCall.body());
    }

    /** The text of a statement as it counts: without blanks and semicolons at its ends. */
    public static String canonical(String sql) {
        int end = sql.length();
        while (end > 0 && (sql.charAt(end - 1) == ';' || Character.isWhitespace(sql.charAt(end - 1)))) {
            end--;
        }
        return sql.substring(0, end).strip();
    }

    private static byte[] part(int type, boolean binary, byte @Nullable [] value, @Nullable String canonical) {
        PgWriter part = new PgWriter().int32(type);
        if (value == null) {
            return part.int8('0').toBytes();
        }
        if (canonical != null) {
            return part.int8('=')
                    .bytes(canonical.getBytes(StandardCharsets.UTF_8))
                    .toBytes();
        }
        return part.int8(binary ? 'b' : 't').bytes(value).toBytes();
    }

    private static String shown(int type, byte @Nullable [] value, @Nullable String canonical) {
        if (value == null) {
            return "NULL";
        }
        if (canonical != null && SHOWN.contains(type)) {
            return canonical;
        }
        return "%d bytes #%04x".formatted(value.length, Arrays.hashCode(value) & 0xffff);
    }

    /** The verb and the first table, e.g. {@code select orders}. */
    private static String family(String sql) {
        List<String> words = SqlText.firstWords(sql, 60);
        for (int i = 0; i + 1 < words.size(); i++) {
            if (BEFORE_A_TABLE.contains(words.get(i))) {
                return words.get(0) + " " + words.get(i + 1);
            }
        }
        return words.isEmpty() ? "" : words.get(0);
    }
}
