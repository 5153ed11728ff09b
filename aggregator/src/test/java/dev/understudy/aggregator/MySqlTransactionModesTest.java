package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions that differ in their modes only aren't given each other's answers; what ends with them doesn't outlive
 * them.
 */
@Tag("process")
class MySqlTransactionModesTest {
    private static final String SELECT = "SELECT n FROM counted";

    private MySqlSides sides;

    static String[] drivers() {
        return MySqlSides.DRIVERS;
    }

    @BeforeEach
    void open() throws Exception {
        sides = new MySqlSides("wait: 1ms");
        sides.direct("DROP TABLE IF EXISTS counted", "CREATE TABLE counted (n int)", "INSERT INTO counted VALUES (1)");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void levels_keepAnswersApart(String driver) throws Exception {
        for (List<String> begin : List.of(
                List.of("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "BEGIN"),
                List.of("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "BEGIN"),
                List.of("SET @@tx_isolation = 'READ-COMMITTED'", "START TRANSACTION"))) {
            sides.direct("UPDATE counted SET n = 1");
            List<String> fresh = new ArrayList<>();
            List<String> frozen = new ArrayList<>();
            try (Connection one = sides.production(driver);
                    Connection other = sides.production(driver)) {
                fresh.addAll(all(one, begin));
                fresh.addAll(all(one, List.of(SELECT)));
                frozen.addAll(all(other, List.of("BEGIN", SELECT)));
                sides.direct("UPDATE counted SET n = 2");
                frozen.addAll(all(other, List.of(SELECT, "COMMIT")));
                fresh.addAll(all(one, List.of(SELECT, "COMMIT")));
            }
            assertThat(fresh).as("%s", begin).containsExactly("1", "2");
            assertThat(frozen).containsExactly("1", "1");
            sides.awaitRecorded();
            try (Connection one = sides.debug(driver);
                    Connection other = sides.debug(driver)) {
                assertThat(all(other, List.of("BEGIN", SELECT, SELECT, "COMMIT")))
                        .isEqualTo(frozen);
                List<String> again = all(one, begin);
                again.addAll(all(one, List.of(SELECT, SELECT, "COMMIT")));
                assertThat(again).as("%s", begin).isEqualTo(fresh);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void readOnlyTransaction_isNotAnsweredFromAnotherKind(String driver) throws Exception {
        String update = "UPDATE counted SET n = 5";
        List<String> plain = List.of("BEGIN", update, "ROLLBACK");
        List<String> readOnly = List.of("START TRANSACTION READ ONLY", update, "ROLLBACK");
        List<String> refused;
        List<String> byDriver;
        try (Connection one = sides.production(driver);
                Connection other = sides.production(driver)) {
            assertThat(all(other, plain)).isEmpty();
            refused = all(one, readOnly);
            assertThat(refused).hasSize(1).first().asString().contains(" 1792 ");
            byDriver = readOnlyByDriver(one);
        }
        sides.awaitRecorded();
        try (Connection one = sides.debug(driver);
                Connection other = sides.debug(driver)) {
            assertThat(all(one, readOnly)).isEqualTo(refused);
            assertThat(all(other, plain)).isEmpty();
            assertThat(readOnlyByDriver(one)).isEqualTo(byDriver);
        }
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
    }

    private static List<String> readOnlyByDriver(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        List<String> seen = all(connection, List.of("BEGIN", SELECT, "ROLLBACK"));
        connection.setReadOnly(false);
        seen.addAll(all(connection, List.of("BEGIN", SELECT, "UPDATE counted SET n = 7", SELECT, "ROLLBACK")));
        return seen;
    }

    /** As pools do when a connection comes back to them. */
    @ParameterizedTest
    @MethodSource("drivers")
    void levelThatIsSetBack_isTheUsualOne(String driver) throws Exception {
        try (Connection production = sides.production(driver)) {
            int usual = production.getTransactionIsolation();
            production.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(all(production, List.of("SELECT n + 1 m FROM counted"))).hasSize(1);
            production.setTransactionIsolation(usual);
            assertThat(all(production, List.of(SELECT))).containsExactly("1");
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug(driver)) {
            assertThat(all(debug, List.of(SELECT))).containsExactly("1");
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug(driver)) {
            assertThat(all(debug, List.of("SELECT n + 1 m FROM counted")))
                    .as("in another level")
                    .first()
                    .asString()
                    .contains("UD001");
        }
    }

    /** What a session is told that has chosen its level says nothing of the others'. */
    @ParameterizedTest
    @MethodSource("drivers")
    void levelThatASessionHasChosen_isNotTakenForTheUsualOne(String driver) throws Exception {
        List<String> choice = List.of("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SELECT @@tx_isolation");
        try (Connection production = sides.production(driver)) {
            assertThat(all(production, choice)).containsExactly("SERIALIZABLE");
            assertThat(all(production, List.of(SELECT))).containsExactly("1");
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug(driver)) {
            assertThat(all(debug, List.of(SELECT)))
                    .as("in another level")
                    .singleElement()
                    .asString()
                    .contains("UD001");
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug(driver)) {
            assertThat(all(debug, choice)).containsExactly("SERIALIZABLE");
            assertThat(all(debug, List.of(SELECT))).containsExactly("1");
        }
    }

    /** What the server says to each statement: rows, errors. */
    private static List<String> all(Connection connection, List<String> statements) {
        List<String> seen = new ArrayList<>();
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                if (statement.execute(sql)) {
                    ResultSet rows = statement.getResultSet();
                    while (rows.next()) {
                        seen.add(rows.getString(1));
                    }
                }
            } catch (SQLException e) {
                seen.addAll(MySqlSides.failure(e));
            }
        }
        return seen;
    }
}
