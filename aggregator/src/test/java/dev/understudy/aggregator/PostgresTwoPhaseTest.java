package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.BaseConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions that are prepared first and committed later: how the session stands after each statement is the server's
 * word.
 */
@Tag("process")
class PostgresTwoPhaseTest {
    private static final String ADD = "UPDATE counted SET n = n + 1";
    private static final String READ = "SELECT n FROM counted";
    private static final String PREPARE = "PREPARE TRANSACTION 'one'";

    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
        PostgresSides.direct(
                "DROP TABLE IF EXISTS counted",
                "CREATE TABLE counted (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)",
                "INSERT INTO counted VALUES (1)");
    }

    /** What is left prepared would hold its locks on, and what waits for them. */
    @AfterEach
    void close() throws SQLException {
        sides.close();
        for (String name : List.of("one", "two")) {
            if (PostgresSides.directNumber("SELECT count(*) FROM pg_prepared_xacts WHERE gid = '" + name + "'") > 0) {
                PostgresSides.direct("ROLLBACK PREPARED '" + name + "'");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "preferQueryMode=extended"})
    void preparedTransaction_isCommittedOrRolledBackByAnySession(String mode) throws Exception {
        List<String> seen = sides.sameOnBothSides(
                mode,
                mode,
                connection -> all(
                        connection,
                        "BEGIN",
                        ADD,
                        READ,
                        PREPARE,
                        READ,
                        "COMMIT PREPARED 'one'",
                        READ,
                        "BEGIN",
                        ADD,
                        PREPARE,
                        "ROLLBACK PREPARED 'one'",
                        READ));
        assertThat(seen)
                .containsExactly(
                        "done OPEN",
                        "done OPEN",
                        "2 OPEN",
                        "done IDLE",
                        "1 IDLE",
                        "done IDLE",
                        "2 IDLE",
                        "done OPEN",
                        "done OPEN",
                        "done IDLE",
                        "done IDLE",
                        "2 IDLE");
        List<String> begin = List.of("BEGIN", ADD, "PREPARE TRANSACTION 'two'");
        List<String> end = List.of(READ, "COMMIT PREPARED 'two'", READ);
        try (Connection one = sides.production(mode);
                Connection other = sides.production(mode)) {
            all(one, begin.toArray(String[]::new));
            assertThat(all(other, end.toArray(String[]::new))).containsExactly("2 IDLE", "done IDLE", "3 IDLE");
        }
        try (Connection one = sides.debug(mode);
                Connection other = sides.debug(mode)) {
            assertThat(all(one, begin.toArray(String[]::new))).containsExactly("done OPEN", "done OPEN", "done IDLE");
            assertThat(all(other, end.toArray(String[]::new))).containsExactly("2 IDLE", "done IDLE", "3 IDLE");
        }
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
    }

    /** Unlike other statements' errors those of PREPARE TRANSACTION end the transaction, unless it can't be read. */
    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "preferQueryMode=extended"})
    void preparingThatFails_endsTheTransaction(String mode) throws Exception {
        List<String> seen = sides.sameOnBothSides(
                mode,
                mode,
                connection -> all(
                        connection,
                        "BEGIN",
                        "INSERT INTO counted VALUES (1)",
                        "SET application_name = 'till 4'",
                        PREPARE,
                        "SHOW application_name",
                        READ,
                        "BEGIN",
                        "PREPARE TRANSACTION",
                        READ,
                        "ROLLBACK",
                        "COMMIT PREPARED 'never'",
                        "BEGIN",
                        "COMMIT PREPARED 'never'",
                        READ,
                        "ROLLBACK"));
        assertThat(seen)
                .extracting(line -> line.substring(0, 5) + line.substring(line.lastIndexOf(' ')))
                .containsExactly(
                        "done  OPEN",
                        "done  OPEN",
                        "done  OPEN",
                        "23505 IDLE",
                        "Postg IDLE",
                        "1 IDL IDLE",
                        "done  OPEN",
                        "42601 FAILED",
                        "25P02 FAILED",
                        "done  IDLE",
                        "42704 IDLE",
                        "done  OPEN",
                        "25001 FAILED",
                        "25P02 FAILED",
                        "done  IDLE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "preferQueryMode=extended"})
    void preparingAFailedTransaction_rollsItBack(String mode) throws Exception {
        String[] failed = {"BEGIN", ADD, "SELECT 1 / 0", PREPARE, READ, PREPARE, "SELECT n + 1 FROM counted"};
        String[] sound = {"BEGIN", ADD, PREPARE, "COMMIT PREPARED 'one'"};
        List<String> broken;
        List<String> whole;
        try (Connection one = sides.production(mode);
                Connection other = sides.production(mode)) {
            broken = all(one, failed);
            whole = all(other, sound);
        }
        assertThat(broken)
                .containsExactly(
                        "done OPEN",
                        "done OPEN",
                        "22012 ERROR: division by zero FAILED",
                        "done IDLE",
                        "1 IDLE",
                        "done there is no transaction in progress IDLE",
                        "2 IDLE");
        assertThat(whole).containsExactly("done OPEN", "done OPEN", "done IDLE", "done IDLE");
        try (Connection one = sides.debug(mode);
                Connection other = sides.debug(mode)) {
            assertThat(all(other, sound)).isEqualTo(whole);
            assertThat(all(one, failed)).isEqualTo(broken);
        }
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
    }

    @Test
    void preparingAmongOtherStatementsOfOneText_endsTheTransaction() throws Exception {
        List<String> seen = sides.sameOnBothSides(
                "preferQueryMode=simple",
                "preferQueryMode=simple",
                connection -> all(
                        connection,
                        "BEGIN",
                        ADD + "; " + PREPARE,
                        READ,
                        "COMMIT PREPARED 'one'",
                        READ,
                        "BEGIN; " + ADD + "; " + PREPARE,
                        "ROLLBACK PREPARED 'one'",
                        READ));
        assertThat(seen)
                .containsExactly(
                        "done OPEN", "done IDLE", "1 IDLE", "done IDLE", "2 IDLE", "done IDLE", "done IDLE", "2 IDLE");
    }

    /** What the server says to each statement, and how the session stands then. */
    private static List<String> all(Connection connection, String... statements) throws SQLException {
        List<String> seen = new ArrayList<>();
        for (String sql : statements) {
            StringBuilder said = new StringBuilder();
            try (Statement statement = connection.createStatement()) {
                if (statement.execute(sql)) {
                    try (ResultSet rows = statement.getResultSet()) {
                        rows.next();
                        said.append(rows.getString(1));
                    }
                } else {
                    said.append("done");
                }
                for (SQLWarning next = statement.getWarnings(); next != null; next = next.getNextWarning()) {
                    said.append(' ').append(next.getMessage());
                }
            } catch (SQLException e) {
                said.append(e.getSQLState()).append(' ').append(e.getMessage());
            }
            seen.add(said + " "
                    + connection
                            .unwrap(BaseConnection.class)
                            .getTransactionState()
                            .name());
        }
        return seen;
    }
}
