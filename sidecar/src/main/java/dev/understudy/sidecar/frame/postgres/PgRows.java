package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.sql.SqlRows;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.value.PgValues;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of DataRows, in text or binary.
 *
 * @param columns may be fewer than there are, or none
 */
record PgRows(List<Column> columns, Formats formats) implements SqlRows.Decoder {
    private static final int UNKNOWN = 0;

    @Override
    public List<@Nullable String> values(byte[] row) {
        PgReader reader = new PgReader(row);
        int count = reader.count(4);
        List<@Nullable String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] value = reader.value();
            values.add(value == null ? null : value(i, value));
        }
        return values;
    }

    /**
     * The value of the column of that number, as PostgreSQL writes it as text; in hexadecimal where that isn't known.
     */
    String value(int column, byte[] value) {
        if (!formats.binary(column)) {
            return new String(value, StandardCharsets.UTF_8);
        }
        int type = column < columns.size() ? columns.get(column).type() : UNKNOWN;
        String text = PgValues.canonical(type, true, value);
        return text == null ? "\\x" + HexFormat.of().formatHex(value) : text;
    }
}
