package dev.understudy.aggregator;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.aggregator.PostgresSides.failure;
import static dev.understudy.aggregator.PostgresSides.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A real server, the real driver and a real pool: the debug side sees what production saw, and the server sees nothing
 * of it.
 */
@Tag("process")
class PostgresEndToEndTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
        PostgresSides.direct(
                "DROP TABLE IF EXISTS orders",
                "CREATE TABLE orders (id bigserial PRIMARY KEY, sku text UNIQUE, quantity int NOT NULL,"
                        + " price numeric(10,2), placed timestamptz NOT NULL DEFAULT now())");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @CsvSource({"3,1,5,5", "1,4,5,5", "2,2,1,0", "1,1,0,1", "1,1,-1,5", "1,1,5,-1"})
    void pooledWorkload_getsProductionsAnswers(int size, int debugSize, int threshold, int debugThreshold)
            throws Exception {
        List<String> seen;
        try (HikariDataSource pool = sides.productionPool(size, "prepareThreshold=" + threshold)) {
            seen = workload(pool);
        }
        long inserted = PostgresSides.directNumber("SELECT last_value FROM orders_id_seq");

        try (HikariDataSource pool = sides.debugPool(debugSize, "prepareThreshold=" + debugThreshold)) {
            assertThat(workload(pool)).isEqualTo(seen);
        }

        assertThat(seen).hasSize(12 + 12 + 78);
        assertThat(PostgresSides.directNumber("SELECT last_value FROM orders_id_seq"))
                .isEqualTo(inserted);
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
    }

    private static List<String> workload(HikariDataSource pool) throws SQLException {
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            try (Connection connection = pool.getConnection()) {
                seen.addAll(insert(connection, "sku-" + i, i));
            }
            try (Connection connection = pool.getConnection();
                    PreparedStatement select =
                            connection.prepareStatement("SELECT * FROM orders WHERE quantity <= ? ORDER BY id")) {
                select.setInt(1, i);
                seen.addAll(rows(select.executeQuery()));
            }
        }
        return seen;
    }

    private static List<String> insert(Connection connection, String sku, int quantity) throws SQLException {
        List<String> seen = new ArrayList<>();
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO orders (sku, quantity, price) VALUES (?, ?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, sku);
            insert.setInt(2, quantity);
            insert.setBigDecimal(3, new BigDecimal("9.90"));
            seen.add("inserted " + insert.executeUpdate());
            seen.addAll(rows(insert.getGeneratedKeys()));
        }
        return seen;
    }

    @Test
    void statementsOfOneForm_areToldApartByTheTraceInTheirComments() throws Exception {
        List<String> real = new ArrayList<>();
        List<String> replayed = new ArrayList<>();
        try (Connection connection = sides.production("sslmode=disable");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP SEQUENCE traced");
            real.add(next(connection, '1'));
            real.add(next(connection, '2'));
        }
        try (Connection connection = sides.debug("sslmode=disable")) {
            replayed.add(next(connection, '2'));
            replayed.add(next(connection, '1'));
        }
        assertThat(replayed).containsExactly(real.get(1), real.get(0));
    }

    private static String next(Connection connection, char trace) throws SQLException {
        String comment = "/*traceparent='00-" + String.valueOf(trace).repeat(32) + "-00f067aa0ba902b7-01'*/";
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT nextval('traced') " + comment)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }

    @Test
    void transaction_commitsAndRollsBackAsInProduction() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            seen.addAll(insert(connection, "a", 1));
            connection.commit();
            seen.addAll(insert(connection, "b", 2));
            Savepoint savepoint = connection.setSavepoint("half");
            seen.addAll(insert(connection, "c", 3));
            connection.rollback(savepoint);
            seen.addAll(query(connection, "SELECT sku FROM orders ORDER BY sku"));
            connection.rollback();
            seen.addAll(query(connection, "SELECT count(*) FROM orders"));
            seen.add("isolation " + connection.getTransactionIsolation());
            connection.commit();
            return seen;
        });
    }

    @Test
    void uniqueViolation_failsTheTransactionUntilRollback() throws Exception {
        List<String> seen = sides.sameOnBothSides("", "", connection -> {
            List<String> said = new ArrayList<>(insert(connection, "a", 1));
            connection.setAutoCommit(false);
            said.addAll(insert(connection, "b", 1));
            said.addAll(refused(() -> insert(connection, "a", 2)));
            said.addAll(refused(() -> query(connection, "SELECT count(*) FROM orders")));
            said.addAll(refused(() -> {
                connection.commit();
                return List.of();
            }));
            connection.rollback();
            said.addAll(query(connection, "SELECT count(*) FROM orders"));
            return said;
        });

        assertThat(seen).anyMatch(line -> line.startsWith("23505")).anyMatch(line -> line.startsWith("25P02"));
    }

    @Test
    void refusedCommit_isRefusedOnTheDebugSideToo() throws Exception {
        PostgresSides.direct(
                "DROP TABLE IF EXISTS late",
                "CREATE TABLE late (id int, UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)",
                "INSERT INTO late VALUES (1)");
        List<String> seen = sides.sameOnBothSides("", "", connection -> {
            List<String> said = new ArrayList<>();
            said.addAll(refused(() -> query(connection, "INSERT INTO late VALUES (1) RETURNING id")));
            connection.setAutoCommit(false);
            said.addAll(query(connection, "INSERT INTO late VALUES (1) RETURNING id"));
            said.addAll(refused(() -> {
                connection.commit();
                return List.of();
            }));
            said.addAll(query(connection, "SELECT count(*) FROM late"));
            return said;
        });

        assertThat(seen).filteredOn(line -> line.startsWith("23505")).hasSize(2);
    }

    @Test
    void wrongStatement_isRefusedInProductionsWords() throws Exception {
        List<String> seen = sides.sameOnBothSides("", "", connection -> {
            List<String> said = new ArrayList<>();
            said.addAll(refused(() -> query(connection, "SELEC 2")));
            said.addAll(refused(() -> query(connection, "SELECT * FROM missing")));
            said.addAll(refused(() -> query(connection, "SELECT 1/0")));
            said.addAll(refused(() -> query(connection, "SELECT 'x'::int")));
            said.addAll(query(connection, "SELECT 2"));
            return said;
        });

        assertThat(seen).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({"reWriteBatchedInserts=false", "reWriteBatchedInserts=true"})
    void batch_givesItsCountsAndKeys(String properties) throws Exception {
        sides.sameOnBothSides(properties, properties, connection -> {
            List<String> seen = new ArrayList<>();
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO orders (sku, quantity) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
                for (int i = 0; i < 300; i++) {
                    insert.setString(1, "sku-" + i);
                    insert.setInt(2, i);
                    insert.addBatch();
                }
                seen.add(Arrays.toString(insert.executeBatch()));
                seen.addAll(rows(insert.getGeneratedKeys()));
            }
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE orders SET quantity = ? WHERE id < ?")) {
                for (int i = 0; i < 20; i++) {
                    update.setInt(1, i);
                    update.setLong(2, i);
                    update.addBatch();
                }
                seen.add(Arrays.toString(update.executeBatch()));
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO orders (sku, quantity) VALUES (?, 1)")) {
                for (String sku : List.of("new", "sku-1", "newer")) {
                    insert.setString(1, sku);
                    insert.addBatch();
                }
                insert.executeBatch();
            } catch (BatchUpdateException e) {
                seen.addAll(failure(e));
                seen.add(Arrays.toString(e.getUpdateCounts()));
            }
            return seen;
        });
    }

    @ParameterizedTest
    @CsvSource({"10,7", "7,10", "0,10", "10,0", "1000,1", "100,100", "50,100"})
    void fetchSize_mayDifferBetweenTheSides(int production, int debug) throws Exception {
        PostgresSides.direct("INSERT INTO orders (sku, quantity) SELECT 's' || i, i FROM generate_series(1, 100) i");
        List<String> seen = new ArrayList<>();
        try (Connection connection = sides.production("")) {
            seen.addAll(fetched(connection, production));
        }
        try (Connection connection = sides.debug("")) {
            assertThat(fetched(connection, debug)).isEqualTo(seen).hasSize(100);
        }
    }

    private static List<String> fetched(Connection connection, int fetchSize) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement select =
                connection.prepareStatement("SELECT id, sku, quantity FROM orders WHERE quantity > ? ORDER BY id")) {
            select.setFetchSize(fetchSize);
            select.setInt(1, 0);
            return rows(select.executeQuery());
        } finally {
            connection.commit();
        }
    }

    @Test
    void slowCursor_isReplayedWhileProductionStillReads() throws Exception {
        PostgresSides.direct("INSERT INTO orders (sku, quantity) SELECT 's' || i, i FROM generate_series(1, 100) i");
        try (Connection production = sides.production("");
                Connection debug = sides.debug("");
                PreparedStatement produced = production.prepareStatement("SELECT sku FROM orders ORDER BY id");
                PreparedStatement replayed = debug.prepareStatement("SELECT sku FROM orders ORDER BY id")) {
            production.setAutoCommit(false);
            debug.setAutoCommit(false);
            produced.setFetchSize(30);
            replayed.setFetchSize(10);
            ResultSet ahead = produced.executeQuery();
            ResultSet behind = replayed.executeQuery();
            for (int i = 1; i <= 100; i++) {
                assertThat(ahead.next()).isTrue();
                assertThat(behind.next()).as("row " + i).isTrue();
                assertThat(behind.getString(1)).isEqualTo("s" + i);
            }
            assertThat(behind.next()).isEqualTo(ahead.next()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1000,0", "0,700", "1000,700"})
    void largeResult_comesInPartsAndWhole(int production, int debug) throws Exception {
        String sql = "SELECT i, repeat(md5(i::text), 30) AS text FROM generate_series(1, 5000) i";
        List<String> seen;
        try (Connection connection = sides.production("")) {
            seen = large(connection, sql, production);
        }
        try (Connection connection = sides.debug("")) {
            assertThat(large(connection, sql, debug)).isEqualTo(seen).hasSize(5000);
        }
    }

    private static List<String> large(Connection connection, String sql, int fetchSize) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setFetchSize(fetchSize);
            return rows(select.executeQuery());
        } finally {
            connection.commit();
        }
    }

    @Test
    void partlyReadResult_givesWhatProductionRead() throws Exception {
        impatient();
        PostgresSides.direct("INSERT INTO orders (sku, quantity) SELECT 's' || i, i FROM generate_series(1, 100) i");
        sides.sameOnBothSides("", "", connection -> {
            try (PreparedStatement select = connection.prepareStatement("SELECT sku FROM orders ORDER BY id")) {
                select.setMaxRows(5);
                return rows(select.executeQuery());
            }
        });
        try (Connection connection = sides.production("")) {
            try (PreparedStatement select = connection.prepareStatement("SELECT sku FROM orders ORDER BY id DESC")) {
                select.setMaxRows(5);
                rows(select.executeQuery());
            }
        }
        sides.awaitRecorded();
        try (Connection connection = sides.debug("")) {
            assertThatThrownBy(() -> query(connection, "SELECT sku FROM orders ORDER BY id DESC"))
                    .hasMessageContaining("production read only 5 rows");
        }
    }

    @Test
    void neverRecorded_isALoudMissAndTheConnectionLives() throws Exception {
        impatient();
        try (HikariDataSource production = sides.productionPool(1, "");
                Connection connection = production.getConnection()) {
            insert(connection, "a", 1);
            query(connection, "SELECT sku FROM orders WHERE quantity = 1");
        }
        TestAggregator.awaitRecorded(sides.aggregator, 1);
        try (HikariDataSource debug = sides.debugPool(1, "")) {
            Connection first = debug.getConnection();
            Object physical = first.unwrap(Connection.class);
            assertThatThrownBy(() -> query(first, "SELECT sku FROM orders WHERE quantity = 2"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("UD001"))
                    .hasMessageContaining("no recorded reply for: SELECT sku FROM orders WHERE quantity = 2")
                    .hasMessageContaining("SELECT sku FROM orders WHERE quantity = 1");
            first.close();
            try (Connection again = debug.getConnection()) {
                assertThat(again.unwrap(Connection.class)).isSameAs(physical);
                assertThat(query(again, "SELECT sku FROM orders WHERE quantity = 1"))
                        .containsExactly("sku=a ");
            }
        }
        assertThat(TestAggregator.get(sides.aggregator, "/v1/misses")).contains("quantity = 2");
    }

    /** Nothing is asked for before it is recorded. */
    private void impatient() throws IOException {
        sides.close();
        sides = new PostgresSides("wait: 1ms");
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows(rows);
        }
    }

    private interface Attempt {
        List<String> make() throws SQLException;
    }

    private static List<String> refused(Attempt attempt) {
        try {
            return attempt.make();
        } catch (SQLException e) {
            return failure(e);
        }
    }
}
