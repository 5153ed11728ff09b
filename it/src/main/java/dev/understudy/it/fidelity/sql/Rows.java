package dev.understudy.it.fidelity.sql;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.util.Arrays;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Results as text. */
final class Rows {
    private Rows() {}

    /** What a query gives. */
    static String of(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return all(rows);
        }
    }

    /**
     * All rows that are left, with the names and types of their columns, as far as the driver knows them without
     * asking.
     */
    static String all(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        StringJoiner text = new StringJoiner("\n");
        StringJoiner head = new StringJoiner(" ");
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            head.add(columns.getColumnLabel(column) + ":" + columns.getColumnType(column));
        }
        text.add(head.toString());
        while (rows.next()) {
            text.add(one(rows));
        }
        return text.toString();
    }

    /** The row at the cursor. */
    static String one(ResultSet rows) throws SQLException {
        StringJoiner row = new StringJoiner(" | ");
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
            row.add(value(rows.getObject(column)));
        }
        return row.toString();
    }

    static String value(@Nullable Object value) throws SQLException {
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        if (value instanceof Array array) {
            return Arrays.deepToString((Object[]) array.getArray());
        }
        if (value instanceof SQLXML xml) {
            return xml.getString();
        }
        return String.valueOf(value);
    }
}
