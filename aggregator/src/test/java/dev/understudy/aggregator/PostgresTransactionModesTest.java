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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions that differ in their modes only aren't given each other's answers; what ends with them doesn't outlive
 * them.
 */
@Tag("process")
class PostgresTransactionModesTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 1ms");
        PostgresSides.direct(
                "DROP TABLE IF EXISTS counted",
                "CREATE TABLE counted (n int)",
                "INSERT INTO counted VALUES (1)",
                "CREATE OR REPLACE FUNCTION bump() RETURNS int LANGUAGE sql AS 'UPDATE "
                        + "counted SET n = n + 1 RETURNING n'");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN ISOLATION LEVEL REPEATABLE READ",
                "START TRANSACTION READ WRITE, ISOLATION LEVEL SERIALIZABLE",
                "BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "BEGIN;SET LOCAL transaction_isolation = 'serializable'",
                "SET default_transaction_isolation TO 'repeatable read';BEGIN"
            })
    void levelOfOneTransaction_keepsItsAnswersApart(String begin) throws Exception {
        List<String> frozen;
        List<String> plain;
        try (Connection one = sides.production("");
                Connection other = sides.production("")) {
            frozen = new ArrayList<>(all(one, List.of(begin.split(";"))));
            frozen.addAll(all(one, List.of("SELECT n FROM counted")));
            PostgresSides.direct("UPDATE counted SET n = 2");
            frozen.addAll(all(one, List.of("SELECT n FROM counted", "COMMIT")));
            plain = all(other, List.of("BEGIN", "SELECT n FROM counted", "SELECT n FROM counted", "COMMIT"));
        }
        assertThat(frozen).contains("n=1 ").doesNotContain("n=2 ");
        assertThat(plain).contains("n=2 ").doesNotContain("n=1 ");
        sides.awaitRecorded();
        try (Connection one = sides.debug("");
                Connection other = sides.debug("")) {
            assertThat(all(other, List.of("BEGIN", "SELECT n FROM counted", "SELECT n FROM counted", "COMMIT")))
                    .isEqualTo(plain);
            List<String> again = all(one, List.of(begin.split(";")));
            again.addAll(all(one, List.of("SELECT n FROM counted", "SELECT n FROM counted", "COMMIT")));
            assertThat(again).isEqualTo(frozen);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readOnlyTransaction_isNotAnsweredFromAnotherKind(boolean always) throws Exception {
        String mode = always ? "readOnlyMode=always" : "";
        List<String> readOnly;
        List<String> plain;
        try (Connection one = sides.production(mode);
                Connection other = sides.production("")) {
            plain = bumped(other, false);
            readOnly = bumped(one, true);
        }
        assertThat(readOnly).allMatch(seen -> seen.startsWith("25006"));
        assertThat(plain).containsExactly("bump=2 ");
        sides.awaitRecorded();
        try (Connection one = sides.debug(mode);
                Connection other = sides.debug("")) {
            assertThat(bumped(one, true)).isEqualTo(readOnly);
            assertThat(bumped(other, false)).isEqualTo(plain);
        }
    }

    private static List<String> bumped(Connection connection, boolean readOnly) throws SQLException {
        connection.setReadOnly(readOnly);
        connection.setAutoCommit(false);
        List<String> seen = all(connection, List.of("SELECT bump()"));
        connection.rollback();
        return seen;
    }

    @Test
    void whatTheServerSaysOfModes_isSaidAgain() throws Exception {
        List<String> seen = sides.sameOnBothSides(
                "",
                "",
                connection -> all(
                        connection,
                        List.of(
                                "SET TRANSACTION READ ONLY",
                                "SET LOCAL work_mem = '1MB'",
                                "SHOW transaction_read_only",
                                "BEGIN READ ONLY",
                                "SHOW transaction_read_only",
                                "SHOW TRANSACTION ISOLATION LEVEL",
                                "SELECT n FROM counted",
                                "SET TRANSACTION READ WRITE",
                                "ROLLBACK",
                                "BEGIN",
                                "SELECT n FROM counted",
                                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                                "ROLLBACK",
                                "BEGIN",
                                "SAVEPOINT a",
                                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                                "ROLLBACK",
                                "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE",
                                "SHOW transaction_deferrable",
                                "SHOW transaction_isolation",
                                "SELECT n FROM counted",
                                "COMMIT AND CHAIN",
                                "SHOW transaction_isolation",
                                "SELECT n FROM counted",
                                "ROLLBACK AND NO CHAIN",
                                "SHOW transaction_isolation",
                                "COMMIT AND CHAIN",
                                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
                                "SHOW transaction_read_only",
                                "SHOW default_transaction_isolation",
                                "SHOW transaction_isolation",
                                "SELECT bump()")));
        assertThat(seen)
                .contains(
                        "25P01 WARNING SET TRANSACTION can only be used in transaction blocks",
                        "transaction_isolation=serializable ")
                .anyMatch(line -> line.startsWith("25001"));
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
    }

    /** Production asks in a session that has chosen, debug in one that hasn't. */
    @Test
    void shownMode_isNotThatOfASessionThatChoseAnother() throws Exception {
        try (Connection production = sides.production("")) {
            all(production, List.of("BEGIN ISOLATION LEVEL SERIALIZABLE", "SHOW transaction_isolation", "COMMIT"));
            all(production, List.of("SET statement_timeout = 5000", "SHOW statement_timeout"));
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug("")) {
            assertThat(all(debug, List.of("SHOW transaction_isolation")))
                    .containsExactly("transaction_isolation=read committed ");
            assertThat(all(debug, List.of("SHOW statement_timeout"))).allMatch(line -> line.startsWith("UD001"));
            assertThat(all(debug, List.of("SET statement_timeout = 5000", "SHOW statement_timeout")))
                    .contains("statement_timeout=5s ");
        }
    }

    @Test
    void whatAScriptSets_countsAfterIt() throws Exception {
        PostgresSides.direct(
                "CREATE SCHEMA IF NOT EXISTS elsewhere",
                "DROP TABLE IF EXISTS elsewhere.counted",
                "CREATE TABLE elsewhere.counted AS SELECT 7 n");
        String simple = "preferQueryMode=simple";
        String script = "SET search_path TO elsewhere; SELECT n FROM counted WHERE n > 0";
        List<String> work = List.of(script, "SELECT n FROM counted");
        List<String> here = List.of("SELECT n FROM counted");
        try (Connection one = sides.production(simple);
                Connection other = sides.production(simple)) {
            assertThat(all(other, here)).containsExactly("n=1 ");
            assertThat(all(one, work)).contains("n=7 ");
        }
        sides.awaitRecorded();
        try (Connection one = sides.debug(simple);
                Connection other = sides.debug(simple)) {
            assertThat(all(one, work)).contains("n=7 ").doesNotContain("n=1 ");
            assertThat(all(other, here)).containsExactly("n=1 ");
        }
    }

    /** What the server says to each statement: rows, warnings, errors. */
    private static List<String> all(Connection connection, List<String> statements) throws SQLException {
        List<String> seen = new ArrayList<>();
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                boolean rows = statement.execute(sql.strip());
                while (rows || statement.getUpdateCount() >= 0) {
                    if (rows) {
                        try (ResultSet result = statement.getResultSet()) {
                            seen.addAll(PostgresSides.rows(result));
                        }
                    }
                    rows = statement.getMoreResults();
                }
                for (SQLWarning warning = statement.getWarnings();
                        warning != null;
                        warning = warning.getNextWarning()) {
                    seen.add(warning.getSQLState() + " WARNING " + warning.getMessage());
                }
            } catch (SQLException e) {
                seen.addAll(PostgresSides.failure(e));
            }
        }
        return seen;
    }
}
