package dev.understudy.divergence.wire.postgres;

import java.util.ArrayList;
import java.util.List;

/**
 * One column of a RowDescription, without its format, which belongs to a portal and not to the column.
 *
 * @param name as the client sees it
 * @param table the table's oid, 0 if the column is computed
 * @param attribute the column's number in the table, 0 if computed
 * @param type the type's oid
 * @param size the type's size in bytes, negative if variable
 * @param modifier the type's modifier, −1 if none
 */
public record Column(String name, int table, short attribute, int type, short size, int modifier) {
    /** Bytes that a column takes at least in a RowDescription. */
    static final int LEAST = 19;

    /** Bytes between its name and its format. */
    static final int BEFORE_FORMAT = 16;

    /** The columns of a RowDescription ({@code 'T'}). */
    public static List<Column> decode(PgMessage rowDescription) {
        PgReader reader = rowDescription.reader();
        int count = reader.count(LEAST);
        List<Column> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            columns.add(new Column(
                    reader.string(), reader.int32(), reader.int16(), reader.int32(), reader.int16(), reader.int32()));
            reader.int16();
        }
        return List.copyOf(columns);
    }

    /** A RowDescription that announces these columns in these formats. */
    public static PgMessage encode(List<Column> columns, Formats formats) {
        PgWriter writer = new PgWriter().int16(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            writer.string(column.name).int32(column.table).int16(column.attribute);
            writer.int32(column.type).int16(column.size).int32(column.modifier);
            writer.int16(formats.code(i));
        }
        return writer.toMessage('T');
    }
}
