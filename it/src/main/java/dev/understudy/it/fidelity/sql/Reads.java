package dev.understudy.it.fidelity.sql;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;

/** Queries, and the ways to get through their rows. */
final class Reads {
    private static final String ITEMS = "SELECT id, name, price FROM items WHERE id <= 40 ORDER BY id";

    private Reads() {}

    static void addTo(Map<String, Work> works) {
        works.put("select all types of a row", Reads::types);
        works.put(
                "select nulls of all types",
                connection -> query(connection, "SELECT null::int, null::text, null::bytea, null::int[]"));
        works.put("select without rows", connection -> query(connection, "SELECT * FROM items WHERE false"));
        works.put(
                "select server's time",
                connection -> query(connection, "SELECT now(), clock_timestamp(), txid_current()"));
        works.put("select with parameters", Reads::parameters);
        works.put("prepared statement ten times", Reads::tenTimes);
        works.put("prepared statement ten times with other values", Reads::otherValues);
        works.put("any of an array", Reads::anyOf);
        works.put("arrays and time zones as Java objects", Reads::javaObjects);
        works.put("fetch size 7 in a transaction", connection -> fetched(connection, 7));
        works.put("fetch size 1000 in a transaction", connection -> fetched(connection, 1_000));
        works.put("fetch size, closed before the end", Reads::closedEarly);
        works.put("fetch size without a transaction", Reads::fetchedAlone);
        works.put("scrollable result", Reads::scrolled);
        works.put("updatable result", Reads::updated);
        works.put("most rows of a statement", Reads::mostRows);
        works.put("multiple results", Reads::multiple);
        works.put(
                "large result",
                connection -> ""
                        + query(connection, "SELECT n, repeat(md5(n::text), 20) FROM generate_series(1, 20000) n")
                                .hashCode());
        works.put(
                "one large value",
                connection -> ""
                        + query(connection, "SELECT repeat('0123456789', 500000)")
                                .hashCode());
        works.put("metadata of a result", Reads::metadata);
        works.put("metadata of parameters", connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT * FROM items WHERE id = ? AND name = ?")) {
                return statement.getParameterMetaData().getParameterTypeName(1)
                        + statement.getParameterMetaData().getParameterTypeName(2);
            }
        });
        works.put("tables and columns of the database", Reads::catalogue);
        works.put("about the server", Reads::about);
        works.put("wrong SQL", connection -> query(connection, "SELEC 1"));
        works.put("missing table", connection -> query(connection, "SELECT * FROM nowhere"));
        works.put(
                "division by zero after rows",
                connection -> query(connection, "SELECT 10 / (5 - n) FROM generate_series(1, 9) n"));
        works.put("timed-out query", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(1);
                return Rows.of(statement, "SELECT pg_sleep(5)");
            }
        });
        works.put("isValid and SELECT 1", connection -> connection.isValid(3) + query(connection, "SELECT 1"));
        works.put(
                "search path and settings",
                connection -> query(connection, "SHOW search_path")
                        + query(connection, "SELECT current_setting('TimeZone')")
                        + query(connection, "SHOW server_version"));
    }

    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return Rows.of(statement, sql);
        }
    }

    private static String types(Connection connection) throws SQLException {
        return query(
                connection,
                "SELECT 1::smallint, 2, 3::bigint, 1.5::real, 2.5::double precision, 1.23456789::numeric, true, 'text',"
                        + " '\\x0102ff'::bytea, '2024-02-29'::date, '12:34:56.789'::time, "
                        + "'2024-02-29 12:34:56'::timestamp,"
                        + " '2024-02-29 12:34:56+02'::timestamptz, '00000000-0000-0000-0000-000000000007'::uuid,"
                        + " '{1,null,3}'::int[], '{\"a b\",c}'::text[], '{\"a\": [1, "
                        + "2]}'::jsonb, '1 day 2 hours'::interval,"
                        + " '10.0.0.1/8'::inet, '<a/>'::xml, B'101', 'NaN'::float8, "
                        + "'(1,2)'::point, 'c'::char, 'name'::name, 7::oid");
    }

    private static String parameters(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT ?::text, ?::int, ?::bigint, ?::numeric, ?::date, ?::boolean, "
                        + "?::uuid, ?::bytea, ?::float8, ?::text")) {
            statement.setString(1, "it's \u00e4 \"text\"");
            statement.setInt(2, -7);
            statement.setLong(3, 1L << 40);
            statement.setBigDecimal(4, new BigDecimal("1.10"));
            statement.setObject(5, LocalDate.of(2024, 2, 29));
            statement.setBoolean(6, true);
            statement.setObject(7, new UUID(1, 2));
            statement.setBytes(8, new byte[] {0, 1, -1});
            statement.setDouble(9, 0.1);
            statement.setNull(10, Types.VARCHAR);
            return Rows.all(statement.executeQuery());
        }
    }

    private static String tenTimes(Connection connection) throws SQLException {
        StringBuilder said = new StringBuilder();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name, price, born FROM items WHERE id = ?")) {
            for (int n = 0; n < 10; n++) {
                statement.setInt(1, 5);
                said.append(Rows.all(statement.executeQuery())).append('\n');
            }
        }
        return said.toString();
    }

    private static String otherValues(Connection connection) throws SQLException {
        StringBuilder said = new StringBuilder();
        try (PreparedStatement statement = connection.prepareStatement("SELECT id, price FROM items WHERE name = ?")) {
            for (int n = 0; n < 10; n++) {
                statement.setString(1, "item " + n);
                said.append(Rows.all(statement.executeQuery())).append('\n');
            }
        }
        return said.toString();
    }

    private static String anyOf(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id FROM items WHERE id = ANY (?) ORDER BY id")) {
            statement.setArray(1, connection.createArrayOf("int4", new Object[] {3, 1, 499}));
            return Rows.all(statement.executeQuery());
        }
    }

    private static String javaObjects(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT '{{1,2},{3,4}}'::int[], born, born::date FROM items WHERE id = 1")) {
            rows.next();
            return Rows.value(rows.getArray(1))
                    + rows.getObject(2, OffsetDateTime.class)
                    + rows.getObject(3, LocalDate.class)
                    + rows.getTimestamp(2);
        }
    }

    private static String fetched(Connection connection, int size) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(size);
            String rows = Rows.of(statement, ITEMS);
            connection.commit();
            return rows;
        }
    }

    private static String closedEarly(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(5);
            ResultSet rows = statement.executeQuery("SELECT id FROM items ORDER BY id DESC");
            StringBuilder said = new StringBuilder();
            for (int n = 0; n < 12 && rows.next(); n++) {
                said.append(Rows.one(rows)).append('\n');
            }
            rows.close();
            said.append(Rows.of(statement, "SELECT count(*) FROM items WHERE id < 9"));
            connection.commit();
            return said.toString();
        }
    }

    private static String fetchedAlone(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(5);
            return Rows.of(statement, "SELECT id FROM items WHERE id < 20 ORDER BY id");
        }
    }

    private static String scrolled(Connection connection) throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery(ITEMS)) {
            rows.last();
            StringBuilder said = new StringBuilder().append(rows.getRow()).append(Rows.one(rows));
            rows.absolute(3);
            said.append(Rows.one(rows));
            rows.relative(-1);
            said.append(Rows.one(rows));
            rows.beforeFirst();
            return said.append(Rows.all(rows)).toString();
        }
    }

    private static String updated(Connection connection) throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT id, name, price FROM items WHERE id = 77")) {
            rows.next();
            rows.updateString("name", "changed");
            rows.updateRow();
            rows.refreshRow();
            String said = Rows.one(rows);
            rows.moveToInsertRow();
            rows.updateInt("id", 7_777);
            rows.updateString("name", "inserted");
            rows.insertRow();
            return said + query(connection, "SELECT id, name FROM items WHERE id IN (77, 7777) ORDER BY id");
        }
    }

    private static String mostRows(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(6);
            return Rows.of(statement, ITEMS);
        }
    }

    private static String multiple(Connection connection) throws SQLException {
        StringBuilder said = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            boolean rows = statement.execute("SELECT 1 AS one; UPDATE items SET price = price WHERE id < 4; SELECT "
                    + "name FROM items WHERE id < 3 ORDER BY id");
            while (rows || statement.getUpdateCount() >= 0) {
                said.append(rows ? Rows.all(statement.getResultSet()) : "count " + statement.getUpdateCount())
                        .append('\n');
                rows = statement.getMoreResults();
            }
        }
        return said.toString();
    }

    private static String metadata(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT i.*, count(*) OVER () FROM items i WHERE id = ?")) {
            ResultSetMetaData columns = statement.getMetaData();
            StringBuilder said = new StringBuilder();
            for (int n = 1; n <= columns.getColumnCount(); n++) {
                said.append(columns.getColumnName(n))
                        .append(columns.getColumnTypeName(n))
                        .append(columns.getPrecision(n))
                        .append(columns.isNullable(n))
                        .append(columns.isAutoIncrement(n))
                        .append(columns.getTableName(n))
                        .append('\n');
            }
            return said.toString();
        }
    }

    private static String catalogue(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return Rows.all(database.getTables(null, "shop", "%", new String[] {"TABLE"}))
                + Rows.all(database.getColumns(null, "shop", "items", "%"))
                + Rows.all(database.getPrimaryKeys(null, "shop", "items"))
                + Rows.all(database.getIndexInfo(null, "shop", "items", false, false));
    }

    private static String about(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return database.getDatabaseProductVersion()
                + database.getDriverVersion()
                + connection.getCatalog()
                + connection.getSchema()
                + database.getMaxColumnNameLength()
                + database.getDefaultTransactionIsolation();
    }
}
