package dev.understudy.it.fidelity.sql;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Inserts, batches, large values and bulk loads. */
final class Writes {
    private Writes() {}

    static void addTo(Map<String, Work> works) {
        works.put("insert, update, delete", Writes::counts);
        works.put("insert with generated keys", Writes::generatedKeys);
        works.put("insert with named generated columns", Writes::generatedColumns);
        works.put(
                "insert returning",
                connection ->
                        Reads.query(connection, "INSERT INTO items (name) VALUES ('returned') RETURNING id, born"));
        works.put("upsert, twice", Writes::upsert);
        works.put("duplicate key", connection -> count(connection, "INSERT INTO items (name) VALUES ('item 1')"));
        works.put("batch of a statement", Writes::batch);
        works.put("batch of a prepared statement", connection -> preparedBatch(connection, "batched "));
        works.put("batch with generated keys", Writes::batchKeys);
        works.put("batch that fails in the middle", Writes::failingBatch);
        works.put("batch of 2000", Writes::largeBatch);
        works.put("bytes as a stream", Writes::stream);
        works.put("large object", Writes::largeObject);
        works.put("copy in", connection -> copyIn(connection, 100));
        works.put("copy in, 20000 lines", connection -> copyIn(connection, 20_000));
        works.put("copy out", Writes::copyOut);
        works.put("copy that fails", Writes::failingCopy);
        works.put("create, use and drop a table", Writes::table);
        works.put("temporary table", Writes::temporary);
    }

    static String count(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return "count " + statement.executeUpdate(sql) + "\n";
        }
    }

    private static String counts(Connection connection) throws SQLException {
        return count(connection, "INSERT INTO items (name) SELECT 'counted ' || n FROM generate_series(1, 9) n")
                + count(connection, "UPDATE items SET price = 3 WHERE name LIKE 'counted%'")
                + count(connection, "DELETE FROM items WHERE name = 'counted 4'")
                + Reads.query(connection, "SELECT name, price FROM items WHERE name LIKE 'counted%' ORDER BY name");
    }

    private static String generatedKeys(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO items (name, price) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, "keyed");
            insert.setDouble(2, 1.25);
            int count = insert.executeUpdate();
            return count + Rows.all(insert.getGeneratedKeys());
        }
    }

    private static String generatedColumns(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO items (name) VALUES (?)", new String[] {"id", "born"})) {
            insert.setString(1, "keyed by name");
            insert.executeUpdate();
            return Rows.all(insert.getGeneratedKeys());
        }
    }

    private static String upsert(Connection connection) throws SQLException {
        String sql = "INSERT INTO items (name, price) VALUES ('upserted', 1)"
                + " ON CONFLICT (name) DO UPDATE SET price = items.price + 1 RETURNING price";
        return Reads.query(connection, sql) + Reads.query(connection, sql);
    }

    private static String batch(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO items (name) VALUES ('one of a batch')");
            statement.addBatch("UPDATE items SET price = 0 WHERE id BETWEEN 200 AND 210");
            statement.addBatch("DELETE FROM items WHERE name = 'one of a batch'");
            return Arrays.toString(statement.executeBatch());
        }
    }

    private static String preparedBatch(Connection connection, String prefix) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO items (name, price) VALUES (?, ?)")) {
            for (int n = 0; n < 20; n++) {
                insert.setString(1, prefix + n);
                insert.setInt(2, n);
                insert.addBatch();
            }
            return Arrays.toString(insert.executeBatch());
        }
    }

    private static String batchKeys(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO items (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int n = 0; n < 5; n++) {
                insert.setString(1, "keyed in a batch " + n);
                insert.addBatch();
            }
            return Arrays.toString(insert.executeBatch()) + Rows.all(insert.getGeneratedKeys());
        }
    }

    private static String failingBatch(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO items (name) VALUES (?)")) {
            for (String name : new String[] {"fine", "item 3", "never"}) {
                insert.setString(1, name);
                insert.addBatch();
            }
            return Arrays.toString(insert.executeBatch());
        } catch (BatchUpdateException failed) {
            if (String.valueOf(failed.getSQLState()).startsWith("UD")) {
                throw failed;
            }
            return Arrays.toString(failed.getUpdateCounts())
                    + failed.getSQLState()
                    + Reads.query(connection, "SELECT count(*) FROM items WHERE name IN ('fine', 'never')");
        }
    }

    private static String largeBatch(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO late VALUES (?)")) {
            for (int n = 0; n < 2_000; n++) {
                insert.setInt(1, 100_000 + n);
                insert.addBatch();
            }
            int sum = Arrays.stream(insert.executeBatch()).sum();
            connection.commit();
            return sum + Reads.query(connection, "SELECT count(*) FROM late WHERE id >= 100000");
        }
    }

    private static String stream(Connection connection) throws SQLException {
        byte[] bytes = new byte[300_000];
        Arrays.fill(bytes, (byte) 7);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO blobs (id, small) VALUES (1, ?)");
                Statement statement = connection.createStatement()) {
            insert.setBinaryStream(1, new ByteArrayInputStream(bytes), bytes.length);
            int count = insert.executeUpdate();
            try (ResultSet rows = statement.executeQuery("SELECT small FROM blobs WHERE id = 1")) {
                rows.next();
                return count + " " + Arrays.hashCode(rows.getBytes(1));
            }
        }
    }

    private static String largeObject(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
        long id = objects.createLO(LargeObjectManager.READWRITE);
        try (LargeObject object = objects.open(id, LargeObjectManager.WRITE)) {
            object.write("0123456789".repeat(1_000).getBytes(StandardCharsets.US_ASCII));
        }
        String said;
        try (LargeObject object = objects.open(id, LargeObjectManager.READ)) {
            object.seek(9_995);
            said = object.size() + new String(object.read(5), StandardCharsets.US_ASCII);
        }
        objects.delete(id);
        connection.commit();
        return said;
    }

    private static String copyIn(Connection connection, int lines) throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int n = 0; n < lines; n++) {
            rows.append(200_000 + lines + n).append('\n');
        }
        long count = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY late FROM STDIN", new StringReader(rows.toString()));
        return count + Reads.query(connection, "SELECT count(*) FROM late WHERE id >= 200000");
    }

    private static String copyOut(Connection connection) throws Exception {
        StringWriter rows = new StringWriter();
        long count = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("COPY (SELECT id, name FROM items WHERE id < 50 ORDER BY id) TO STDOUT (FORMAT csv)", rows);
        return count + rows.toString();
    }

    private static String failingCopy(Connection connection) throws Exception {
        return ""
                + connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY late FROM STDIN", new StringReader("1\nno number\n"));
    }

    private static String table(Connection connection) throws SQLException {
        return count(connection, "CREATE TABLE made (a int, b text)")
                + count(connection, "INSERT INTO made VALUES (1, 'x'), (2, 'y')")
                + Reads.query(connection, "SELECT * FROM made ORDER BY a")
                + count(connection, "ALTER TABLE made ADD COLUMN c int DEFAULT 9")
                + Reads.query(connection, "SELECT * FROM made ORDER BY a")
                + count(connection, "TRUNCATE made")
                + count(connection, "DROP TABLE made");
    }

    private static String temporary(Connection connection) throws SQLException {
        return count(connection, "CREATE TEMP TABLE mine AS SELECT n FROM generate_series(1, 5) n")
                + count(connection, "ANALYZE mine")
                + Reads.query(connection, "SELECT sum(n) FROM mine")
                + Reads.query(connection, "EXPLAIN (COSTS off) SELECT * FROM mine");
    }
}
