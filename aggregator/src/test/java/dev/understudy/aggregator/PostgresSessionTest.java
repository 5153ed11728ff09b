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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a session sets, shows and has asked for before decides what the debug side's session is told. */
@Tag("process")
class PostgresSessionTest {
    private static final String READ = "SELECT n FROM placed";

    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 1ms");
        PostgresSides.direct(
                "DROP ROLE IF EXISTS latecomer",
                "DROP TABLE IF EXISTS placed",
                "CREATE TABLE placed (n int)",
                "INSERT INTO placed VALUES (1)");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "preferQueryMode=extended"})
    void refusedSetting_isRefusedAgain(String mode) throws Exception {
        List<String> seen = sides.sameOnBothSides(
                mode,
                mode,
                connection -> all(
                        connection,
                        List.of(
                                "SET no_such_setting = 1",
                                "SET work_mem = 'plenty'",
                                "SET ROLE latecomer",
                                "SET work_mem = '2MB'",
                                "BEGIN",
                                "SET block_size = 7",
                                "SELECT 1",
                                "ROLLBACK",
                                "SELECT 1")));
        assertThat(seen)
                .extracting(line -> line.substring(0, Math.min(5, line.length())))
                .containsExactly("42704", "22023", "22023", "done", "done", "55P02", "25P02", "done", "1");
    }

    @Test
    void settingThatIsTakenAtLast_isNoLongerRefused() throws Exception {
        List<String> work = List.of("SET ROLE latecomer");
        sides.sameOnBothSides("", "", connection -> all(connection, work));
        PostgresSides.direct("CREATE ROLE latecomer");
        assertThat(sides.sameOnBothSides("", "", connection -> all(connection, work)))
                .containsExactly("done");
    }

    /** The server may write a value otherwise than it was set: 7s for 7000. */
    @Test
    void shownSetting_isWhatTheServerSaidOrAMiss() throws Exception {
        List<String> work = List.of("SET lock_timeout = 7000", "SHOW lock_timeout");
        try (Connection debug = sides.debug("")) {
            assertThat(all(debug, work)).last().asString().startsWith("UD001");
            assertThat(all(debug, List.of("SET application_name = 'Till 4'", "SHOW application_name")))
                    .containsExactly("done", "Till 4");
        }
        assertThat(sides.sameOnBothSides("", "", connection -> all(connection, work)))
                .containsExactly("done", "7s");
    }

    @Test
    void answersOfATransactionBlock_areNoneOutsideOfOne() throws Exception {
        List<String> block = List.of("BEGIN", "UPDATE placed SET n = 2", READ, "ROLLBACK");
        try (Connection production = sides.production("")) {
            assertThat(all(production, block)).containsExactly("done", "done", "2", "done");
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug("")) {
            assertThat(all(debug, List.of(READ))).singleElement().asString().startsWith("UD001");
            assertThat(all(debug, block)).containsExactly("done", "done", "2", "done");
        }
    }

    private static List<String> all(Connection connection, List<String> statements) throws SQLException {
        List<String> seen = new ArrayList<>();
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                if (statement.execute(sql)) {
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) {
                            seen.add(rows.getString(1));
                        }
                    }
                } else {
                    seen.add("done");
                }
            } catch (SQLException refused) {
                seen.add(refused.getSQLState() + " " + refused.getMessage());
            }
        }
        return seen;
    }
}
