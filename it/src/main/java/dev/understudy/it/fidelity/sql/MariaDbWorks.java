package dev.understudy.it.fidelity.sql;

import java.io.ByteArrayInputStream;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** What is done over MariaDB's driver. */
final class MariaDbWorks {
    private static final String BY_ID = "SELECT id, name, price FROM items WHERE id = ?";

    private MariaDbWorks() {}

    static void addTo(Map<String, Work> works) {
        works.put("query", query("SELECT id, name, price, born FROM items WHERE id < 20 ORDER BY id"));
        works.put("no rows", query("SELECT * FROM items WHERE id < 0"));
        works.put("many rows", query("SELECT a.id, b.name FROM items a JOIN items b ON a.id < 40 ORDER BY 1, 2"));
        works.put("prepared query, again and again", MariaDbWorks::prepared);
        works.put("prepared query with nulls", MariaDbWorks::nulls);
        works.put("all kinds of values", MariaDbWorks::kinds);
        works.put("fetch size", MariaDbWorks::fetched);
        works.put("scrollable result", MariaDbWorks::scrolled);
        works.put("result of a function", query("SELECT half(9), now(6) > '2020-01-01'"));
        works.put("insert, update, delete", MariaDbWorks::counts);
        works.put("generated keys", MariaDbWorks::generatedKeys);
        works.put("insert returning", query("INSERT INTO items (name) VALUES ('returned') RETURNING id, born"));
        works.put("upsert, twice", MariaDbWorks::upsert);
        works.put("duplicate key", update("INSERT INTO items (name) VALUES ('item 1')"));
        works.put("wrong SQL", query("SELEC 1"));
        works.put("no such table", query("SELECT * FROM nowhere"));
        works.put("warnings", MariaDbWorks::warnings);
        works.put("batch of a statement", MariaDbWorks::batch);
        works.put("batch of a prepared statement", connection -> preparedBatch(connection, "batched", 20));
        works.put("batch of 2000", connection -> preparedBatch(connection, "many", 2_000));
        works.put("batch with generated keys", MariaDbWorks::batchKeys);
        works.put("batch that fails in the middle", MariaDbWorks::failingBatch);
        works.put("large values", MariaDbWorks::large);
        works.put("commit", connection -> Transactions.ended(connection, "committed", true));
        works.put("rollback", connection -> Transactions.ended(connection, "rolled back", false));
        works.put("savepoints", MariaDbWorks::savepoints);
        works.put("isolation read committed", isolated(Connection.TRANSACTION_READ_COMMITTED));
        works.put("isolation serializable", isolated(Connection.TRANSACTION_SERIALIZABLE));
        works.put("read only", MariaDbWorks::readOnly);
        works.put("procedure with an answer", MariaDbWorks::procedure);
        works.put("procedure with two results", MariaDbWorks::results);
        works.put("session variable", MariaDbWorks::variable);
        works.put("temporary table", MariaDbWorks::temporary);
        works.put("create, use and drop a table", MariaDbWorks::table);
        works.put("another database", MariaDbWorks::catalogue);
        works.put("metadata of the database", MariaDbWorks::metadata);
        works.put("is it valid", connection -> String.valueOf(connection.isValid(5)));
    }

    private static Work query(String sql) {
        return connection -> Reads.query(connection, sql);
    }

    private static Work update(String sql) {
        return connection -> Writes.count(connection, sql);
    }

    private static String prepared(Connection connection) throws SQLException {
        StringBuilder said = new StringBuilder();
        try (PreparedStatement select = connection.prepareStatement(BY_ID)) {
            for (int id = 1; id < 20; id++) {
                select.setInt(1, id);
                said.append(Rows.all(select.executeQuery())).append('\n');
            }
        }
        return said.toString();
    }

    private static String nulls(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT ? IS NULL, coalesce(?, 'none'), ?")) {
            select.setNull(1, Types.INTEGER);
            select.setString(2, null);
            select.setLong(3, 7);
            return Rows.all(select.executeQuery());
        }
    }

    private static String kinds(Connection connection) throws SQLException {
        String row = "(1, 2, 3, 4, 1.5, 2.5, 12345.67891, b'101', 'five', 'téxt', x'00ff', x'0102', '2024-02-29',"
                + " '12:34:56.789', '2024-02-29 01:02:03.456789', 2024, '{\"a\": [1]}', 'x', "
                + "'x,y', 18446744073709551615,"
                + " '123e4567-e89b-12d3-a456-426655440000', '::1')";
        String said = Writes.count(connection, "INSERT INTO kinds VALUES " + row);
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM kinds WHERE a = ?")) {
            select.setInt(1, 1);
            return said + Rows.all(select.executeQuery());
        }
    }

    private static String fetched(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(50);
            return Rows.of(statement, "SELECT id FROM items WHERE id <= 400 ORDER BY id");
        }
    }

    private static String scrolled(Connection connection) throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery("SELECT id, name FROM items WHERE id < 9 ORDER BY id")) {
            StringBuilder said = new StringBuilder();
            rows.last();
            said.append(Rows.one(rows));
            rows.absolute(3);
            said.append(Rows.one(rows));
            rows.relative(-1);
            return said.append(Rows.one(rows)).toString();
        }
    }

    private static String counts(Connection connection) throws SQLException {
        return Writes.count(connection, "INSERT INTO items (name) SELECT concat('counted ', seq) FROM seq_1_to_9")
                + Writes.count(connection, "UPDATE items SET price = 3 WHERE name LIKE 'counted%'")
                + Writes.count(connection, "DELETE FROM items WHERE name = 'counted 4'")
                + Reads.query(connection, "SELECT name, price FROM items WHERE name LIKE 'counted%' ORDER BY name");
    }

    private static String generatedKeys(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO items (name, price) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, "keyed");
            insert.setDouble(2, 1.25);
            return insert.executeUpdate() + Rows.all(insert.getGeneratedKeys());
        }
    }

    private static String upsert(Connection connection) throws SQLException {
        String sql = "INSERT INTO items (name, price) VALUES ('upserted', 1) ON DUPLICATE KEY UPDATE price = price + 1";
        return Writes.count(connection, sql)
                + Writes.count(connection, sql)
                + Reads.query(connection, "SELECT price FROM items WHERE name = 'upserted'");
    }

    private static String warnings(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            StringBuilder said = new StringBuilder(Rows.of(statement, "SELECT 1 / 0, CAST('12x' AS int)"));
            for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                said.append('\n').append(warning.getMessage());
            }
            return said.toString();
        }
    }

    private static String batch(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO items (name) VALUES ('one of a batch')");
            statement.addBatch("UPDATE items SET price = 0 WHERE id BETWEEN 200 AND 210");
            statement.addBatch("DELETE FROM items WHERE name = 'one of a batch'");
            return Arrays.toString(statement.executeBatch());
        }
    }

    private static String preparedBatch(Connection connection, String name, int size) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO items (name, price) VALUES (?, ?)")) {
            for (int n = 0; n < size; n++) {
                insert.setString(1, name + " " + n);
                insert.setInt(2, n);
                insert.addBatch();
            }
            return Arrays.toString(insert.executeBatch())
                    + Reads.query(
                            connection, "SELECT count(*), sum(price) FROM items WHERE name LIKE '" + name + " %'");
        }
    }

    private static String batchKeys(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO items (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int n = 0; n < 5; n++) {
                insert.setString(1, "batch key " + n);
                insert.addBatch();
            }
            return Arrays.toString(insert.executeBatch()) + Rows.all(insert.getGeneratedKeys());
        }
    }

    private static String failingBatch(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO items (name) VALUES ('before it fails')");
            statement.addBatch("INSERT INTO items (name) VALUES ('item 1')");
            statement.addBatch("INSERT INTO items (name) VALUES ('after it failed')");
            try {
                return Arrays.toString(statement.executeBatch());
            } catch (BatchUpdateException failed) {
                return Arrays.toString(failed.getUpdateCounts()) + failed.getMessage();
            }
        }
    }

    private static String large(Connection connection) throws SQLException {
        byte[] bytes = new byte[300_000];
        new Random(31).nextBytes(bytes);
        try (PreparedStatement select = connection.prepareStatement("SELECT length(?), md5(?), repeat('x', 200000)")) {
            select.setBytes(1, bytes);
            select.setBinaryStream(2, new ByteArrayInputStream(bytes));
            return Rows.all(select.executeQuery());
        }
    }

    private static String savepoints(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Writes.count(connection, "INSERT INTO items (name) VALUES ('kept')");
        Savepoint first = connection.setSavepoint("first");
        Writes.count(connection, "INSERT INTO items (name) VALUES ('dropped')");
        connection.rollback(first);
        String said = Reads.query(connection, "SELECT name FROM items WHERE name IN ('kept', 'dropped')");
        connection.commit();
        return said;
    }

    private static Work isolated(int level) {
        return connection -> {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            String said =
                    connection.getTransactionIsolation() + Reads.query(connection, "SELECT count(*) > 400 FROM items");
            connection.commit();
            return said;
        };
    }

    private static String readOnly(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        return Reads.query(connection, "SELECT name FROM items WHERE id = 5")
                + Writes.count(connection, "DELETE FROM items WHERE id = 5");
    }

    private static String procedure(Connection connection) throws SQLException {
        try (CallableStatement call = connection.prepareCall("{CALL twice(?, ?)}")) {
            call.setInt(1, 21);
            call.registerOutParameter(2, Types.INTEGER);
            call.execute();
            return String.valueOf(call.getInt(2));
        }
    }

    private static String results(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            StringBuilder said = new StringBuilder();
            boolean rows = statement.execute("CALL both_ends()");
            while (rows || statement.getUpdateCount() != -1) {
                said.append(rows ? Rows.all(statement.getResultSet()) : "count " + statement.getUpdateCount());
                rows = statement.getMoreResults();
            }
            return said.toString();
        }
    }

    private static String variable(Connection connection) throws SQLException {
        Writes.count(connection, "SET @kept = 40 + 2");
        return Reads.query(connection, "SELECT @kept, @never");
    }

    private static String temporary(Connection connection) throws SQLException {
        Writes.count(connection, "CREATE TEMPORARY TABLE mine (n int)");
        return Writes.count(connection, "INSERT INTO mine VALUES (1), (2)")
                + Reads.query(connection, "SELECT sum(n) FROM mine");
    }

    private static String table(Connection connection) throws SQLException {
        Writes.count(connection, "CREATE TABLE passing (id int PRIMARY KEY)");
        String said = Writes.count(connection, "INSERT INTO passing VALUES (1)")
                + Reads.query(connection, "SELECT * FROM passing");
        Writes.count(connection, "ALTER TABLE passing ADD COLUMN name varchar(9) DEFAULT 'new'");
        said += Reads.query(connection, "SELECT * FROM passing");
        return said + Writes.count(connection, "DROP TABLE passing");
    }

    private static String catalogue(Connection connection) throws SQLException {
        connection.setCatalog("information_schema");
        String said = connection.getCatalog() + Reads.query(connection, "SELECT count(*) > 10 FROM tables");
        connection.setCatalog("shop");
        return said + Reads.query(connection, "SELECT database()");
    }

    private static String metadata(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        StringBuilder said = new StringBuilder(database.getDatabaseProductVersion());
        try (ResultSet columns = database.getColumns("shop", null, "items", "%")) {
            while (columns.next()) {
                said.append('\n')
                        .append(columns.getString("COLUMN_NAME"))
                        .append(' ')
                        .append(columns.getString("TYPE_NAME"));
            }
        }
        try (ResultSet keys = database.getPrimaryKeys("shop", null, "items")) {
            said.append('\n').append(Rows.all(keys));
        }
        return said.toString();
    }
}
