package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a command that is too long to be held, beyond how it begins.
 *
 * @param length of the whole command, in bytes
 * @param hash of all of it but what each connection numbers for itself
 * @param words those of {@link SessionWords} that it has anywhere
 */
public record LongRest(long length, byte[] hash, List<String> words) {
    /** No client's text has it, of which each byte is one character. */
    private static final char MARK = '…';

    private static final int BLOB = 0xfc;

    /** For people, and for forms: no two different commands have the same. */
    String text() {
        return " " + MARK + " " + length + " bytes, SHA-256 " + HexFormat.of().formatHex(hash)
                + (words.isEmpty() ? "" : ", with " + String.join(" ", words));
    }

    /** Whether this is a text of which only the beginning is known. */
    static boolean begun(String sql) {
        return sql.indexOf(MARK) >= 0;
    }

    /**
     * In place of the values that aren't known one by one.
     *
     * @param types of the parameters; null if there are none
     */
    BoundValue value(int @Nullable [] types) {
        MySqlWriter all = new MySqlWriter().bytes(hash);
        for (int type : types == null ? new int[0] : types) {
            all.int16(type);
        }
        return new BoundValue("all in " + length + " bytes", BLOB, all.toBytes());
    }
}
