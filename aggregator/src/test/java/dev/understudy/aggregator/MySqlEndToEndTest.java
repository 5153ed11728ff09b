package dev.understudy.aggregator;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.understudy.aggregator.MySqlSides.failure;
import static dev.understudy.aggregator.MySqlSides.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A real server and both real drivers: the debug side sees what production saw, and the server sees nothing of it. */
@Tag("process")
class MySqlEndToEndTest {
    private MySqlSides sides;

    static String[] drivers() {
        return MySqlSides.DRIVERS;
    }

    @BeforeEach
    void open() throws Exception {
        sides = new MySqlSides("wait: 30s");
        sides.direct(
                "DROP TABLE IF EXISTS orders",
                "CREATE TABLE orders (id bigint AUTO_INCREMENT PRIMARY KEY, sku varchar(40) "
                        + "UNIQUE, quantity int NOT NULL,"
                        + " price decimal(10,2), placed timestamp(3) NOT NULL DEFAULT "
                        + "current_timestamp(3), note longtext,"
                        + " scan longblob)");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void textAndPrepared_giveTheSame(String driver) throws Exception {
        List<String> seen = sides.sameOnBothSides(driver, connection -> {
            List<String> lines = new ArrayList<>();
            try (Statement statement = connection.createStatement()) {
                lines.add("inserted "
                        + statement.executeUpdate("INSERT INTO orders (sku, quantity) VALUES ('a', 1), ('b', 2)"));
                lines.addAll(
                        rows(statement.executeQuery("SELECT sku, quantity, placed, NULL n FROM orders ORDER BY sku")));
            }
            for (int quantity : new int[] {1, 2, 3}) {
                try (PreparedStatement select = connection.prepareStatement(
                        "SELECT id, sku, price FROM orders WHERE quantity = ? OR sku = ?")) {
                    select.setInt(1, quantity);
                    select.setString(2, "b");
                    lines.addAll(rows(select.executeQuery()));
                    lines.addAll(rows(select.executeQuery()));
                }
            }
            return lines;
        });
        assertThat(seen).hasSize(3 + 4 + 2 + 2);
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void values_ofAllKindsComeBack(String driver) throws Exception {
        sides.sameOnBothSides(driver, connection -> {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT ? a, ? b, ? c, ? d, ? e, ? f, CAST(? AS DATE) g, ? h, ? i, CAST(? AS TIME(3)) j")) {
                select.setLong(1, Long.MIN_VALUE);
                select.setDouble(2, 0.25);
                select.setBigDecimal(3, new BigDecimal("12345678901234567890.12"));
                select.setString(4, "ünïcödé \uD83D\uDE00 'quoted' \\ \"x\"");
                select.setBytes(5, new byte[] {0, 1, -1, 39, 92});
                select.setTimestamp(6, Timestamp.valueOf("2024-02-29 12:34:56.789"));
                select.setDate(7, java.sql.Date.valueOf("2024-02-29"));
                select.setNull(8, Types.VARCHAR);
                select.setBoolean(9, true);
                select.setTime(10, java.sql.Time.valueOf("23:59:58"));
                return rows(select.executeQuery());
            }
        });
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void batches_andGeneratedKeys(String driver) throws Exception {
        List<String> seen = sides.sameOnBothSides(driver, connection -> {
            List<String> lines = new ArrayList<>();
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO orders (sku, quantity) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
                for (int i = 0; i < 20; i++) {
                    insert.setString(1, "s" + i);
                    insert.setInt(2, i);
                    insert.addBatch();
                }
                lines.add(Arrays.toString(insert.executeBatch()));
                lines.addAll(keys(insert));
                insert.setString(1, "one");
                insert.setInt(2, 1);
                lines.add("" + insert.executeUpdate());
                lines.addAll(keys(insert));
            }
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("UPDATE orders SET quantity = 5 WHERE sku = 's1'");
                statement.addBatch("DELETE FROM orders WHERE sku IN ('s2', 's3')");
                lines.add(Arrays.toString(statement.executeBatch()));
                lines.addAll(rows(statement.executeQuery("SELECT LAST_INSERT_ID() id, COUNT(*) FROM orders")));
            }
            return lines;
        });
        assertThat(seen).hasSize(1 + 20 + 1 + 1 + 1 + 1);
    }

    private static List<String> keys(Statement statement) throws SQLException {
        List<String> keys = new ArrayList<>();
        ResultSet generated = statement.getGeneratedKeys();
        while (generated.next()) {
            keys.add("key " + generated.getLong(1));
        }
        return keys;
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void rewrittenBatches_comeBackWhole(String driver) throws Exception {
        String rewriting = driver + "&rewriteBatchedStatements=true&allowMultiQueries=true";
        sides.sameOnBothSides(rewriting.replace(" &", " "), connection -> {
            try (PreparedStatement update = connection.prepareStatement(
                    "INSERT INTO orders (sku, quantity) VALUES (?, ?) ON DUPLICATE KEY UPDATE quantity = 1")) {
                for (int i = 0; i < 10; i++) {
                    update.setString(1, "s" + i % 7);
                    update.setInt(2, i);
                    update.addBatch();
                }
                return List.of(Arrays.toString(update.executeBatch()));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void largeObjects_comeBackWhole(String driver) throws Exception {
        List<String> seen = sides.sameOnBothSides(driver, connection -> {
            byte[] scan = new byte[1 << 20];
            Arrays.fill(scan, (byte) 7);
            try (PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO orders (sku, quantity, note, scan) VALUES ('big', 1, ?, ?)");
                    Statement select = connection.createStatement()) {
                insert.setCharacterStream(1, new java.io.StringReader("é".repeat(70_000)));
                insert.setBytes(2, scan);
                insert.executeUpdate();
                ResultSet row = select.executeQuery("SELECT note, scan FROM orders WHERE sku = 'big'");
                row.next();
                return List.of(
                        "note " + row.getString(1).length(),
                        "scan " + Arrays.hashCode(row.getBytes(2)) + " " + row.getBytes(2).length);
            }
        });
        assertThat(seen.get(1)).endsWith(" " + (1 << 20));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void fetchSizes_readRowsByAndBy(String driver) throws Exception {
        sides.direct("INSERT INTO orders (sku, quantity) SELECT CONCAT('n', seq), seq FROM seq_1_to_500");
        String fetching = driver.startsWith("mysql") ? driver + "&useCursorFetch=true" : driver;
        List<String> seen = sides.sameOnBothSides(fetching.replace(" &", " "), connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT quantity FROM orders WHERE quantity > ? ORDER BY 1")) {
                select.setFetchSize(37);
                select.setInt(1, 3);
                return rows(select.executeQuery());
            }
        });
        assertThat(seen).hasSize(497);
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void transactions_endAsInProduction(String driver) throws Exception {
        List<String> seen = sides.sameOnBothSides(driver, connection -> {
            List<String> lines = new ArrayList<>();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO orders (sku, quantity) VALUES ('kept', 1)");
                Savepoint savepoint = connection.setSavepoint("before");
                statement.executeUpdate("INSERT INTO orders (sku, quantity) VALUES ('lost', 1)");
                connection.rollback(savepoint);
                connection.commit();
                statement.executeUpdate("INSERT INTO orders (sku, quantity) VALUES ('gone', 1)");
                lines.addAll(rows(statement.executeQuery("SELECT sku FROM orders ORDER BY sku")));
                connection.rollback();
                lines.addAll(rows(statement.executeQuery("SELECT sku FROM orders ORDER BY sku")));
                connection.setAutoCommit(true);
                lines.addAll(rows(statement.executeQuery("SELECT sku FROM orders ORDER BY sku")));
                lines.add("auto " + connection.getAutoCommit());
            }
            return lines;
        });
        assertThat(seen).hasSize(2 + 1 + 1 + 1);
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void isolation_isPartOfTheSession(String driver) throws Exception {
        List<String> seen = sides.sameOnBothSides(driver, connection -> {
            List<String> lines = new ArrayList<>();
            lines.add("level " + connection.getTransactionIsolation());
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            lines.add("level " + connection.getTransactionIsolation());
            connection.setReadOnly(true);
            connection.setReadOnly(false);
            connection.setCatalog("other");
            lines.add("catalog " + connection.getCatalog());
            connection.setCatalog("app");
            try (Statement statement = connection.createStatement()) {
                lines.addAll(rows(statement.executeQuery("SELECT COUNT(*) FROM orders")));
            }
            return lines;
        });
        assertThat(seen).contains("catalog other", "level " + Connection.TRANSACTION_SERIALIZABLE);
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void errors_areTheServers(String driver) throws Exception {
        List<String> seen = sides.sameOnBothSides(driver, connection -> {
            List<String> lines = new ArrayList<>();
            for (String sql : List.of(
                    "INSERT INTO orders (sku, quantity) VALUES ('x', 1)",
                    "INSERT INTO orders (sku, quantity) VALUES ('x', 1)",
                    "SELECT * FROM no_such_table",
                    "SELEKT")) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.execute();
                    lines.add("done");
                } catch (SQLException e) {
                    lines.addAll(failure(e));
                }
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO orders (sku, quantity) VALUES (?, 1)")) {
                for (String sku : List.of("p", "x", "q")) {
                    insert.setString(1, sku);
                    insert.addBatch();
                }
                insert.executeBatch();
            } catch (BatchUpdateException e) {
                lines.add(e.getSQLState() + " " + Arrays.toString(e.getUpdateCounts()));
            }
            return lines;
        });
        assertThat(seen).hasSize(5);
        assertThat(seen.get(1)).startsWith("23000 1062");
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void proceduresAndMultipleResults(String driver) throws Exception {
        sides.direct(
                "DROP PROCEDURE IF EXISTS twice",
                "CREATE PROCEDURE twice(IN a INT, OUT b INT, INOUT c INT) BEGIN SELECT a x; SELECT a + 1 y, 'z' z;"
                        + " SET b = a * 2; SET c = c + 1; END");
        String multi = (driver + "&allowMultiQueries=true").replace(" &", " ");
        List<String> seen = sides.sameOnBothSides(multi, connection -> {
            List<String> lines = new ArrayList<>();
            try (CallableStatement call = connection.prepareCall("{call twice(?, ?, ?)}")) {
                call.setInt(1, 21);
                call.registerOutParameter(2, Types.INTEGER);
                call.registerOutParameter(3, Types.INTEGER);
                call.setInt(3, 7);
                for (boolean more = call.execute(); more; more = call.getMoreResults()) {
                    lines.addAll(rows(call.getResultSet()));
                }
                lines.add("out " + call.getInt(2) + " " + call.getInt(3));
            }
            try (Statement statement = connection.createStatement()) {
                boolean rows =
                        statement.execute("SELECT 1 a; INSERT INTO orders (sku, quantity) VALUES ('m', 1); SELECT 2 b");
                while (rows || statement.getUpdateCount() >= 0) {
                    lines.addAll(
                            rows ? rows(statement.getResultSet()) : List.of("count " + statement.getUpdateCount()));
                    rows = statement.getMoreResults();
                }
            }
            return lines;
        });
        assertThat(seen).hasSize(2 + 1 + 3).contains("out 42 8");
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void metadata_isAnsweredAnyNumberOfTimes(String driver) throws Exception {
        MySqlSides.Work work = connection -> {
            DatabaseMetaData metadata = connection.getMetaData();
            List<String> lines = new ArrayList<>(List.of(metadata.getDatabaseProductVersion()));
            lines.addAll(rows(metadata.getColumns("app", null, "orders", null)));
            lines.add("valid " + connection.isValid(60));
            try (Statement statement = connection.createStatement()) {
                lines.addAll(rows(statement.executeQuery("SELECT 1")));
                lines.addAll(rows(statement.executeQuery("SELECT @@sql_mode, @@max_allowed_packet")));
            }
            return lines;
        };
        List<String> seen = sides.sameOnBothSides(driver, work);
        try (Connection again = sides.debug(driver)) {
            assertThat(work.on(again)).isEqualTo(seen);
        }
    }

    @Test
    void miss_namesTheForm() throws Exception {
        sides.close();
        sides = new MySqlSides("wait: 1ms");
        sides.sameOnBothSides("mariadb ", connection -> {
            try (Statement statement = connection.createStatement()) {
                return rows(statement.executeQuery("SELECT COUNT(*) FROM orders"));
            }
        });
        try (Connection debug = sides.debug("mariadb ");
                Statement statement = debug.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery("SELECT COUNT(*) FROM orders WHERE sku = 'secret'"))
                    .isInstanceOfSatisfying(SQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("UD001");
                        assertThat(e.getMessage())
                                .contains("SELECT COUNT(*) FROM orders WHERE sku = '…'")
                                .contains("nearest recorded: SELECT COUNT(*) FROM orders in app");
                    });
        }
    }
}
