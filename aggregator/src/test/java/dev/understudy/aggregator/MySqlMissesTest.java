package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the debug side gets where production has nothing more to give. */
class MySqlMissesTest {
    private static final String DRIVER = "mariadb ";
    private static final String COUNT = "SELECT COUNT(*) FROM things";
    private static final String INSERT = "INSERT INTO things VALUES (1)";

    @Test
    void readsAreRepeated_writesAndWhatFollowsThemAreNot() throws Exception {
        try (MySqlSides sides = open("wait: 1s", "miss: repeat-last");
                Connection production = sides.production(DRIVER);
                Connection debug = sides.debug(DRIVER)) {
            production.setAutoCommit(false);
            assertThat(count(production)).isZero();
            assertThat(write(production)).isEqualTo(1);
            assertThat(count(production)).isEqualTo(1);
            production.commit();

            debug.setAutoCommit(false);
            assertThat(count(debug)).isZero();
            assertThat(write(debug)).isEqualTo(1);
            assertThat(count(debug)).isEqualTo(1);
            assertMissed(() -> count(debug));
            assertMissed(() -> write(debug));
            debug.rollback();
            assertThat(count(debug)).as("what was read before any write").isZero();
        }
    }

    @Test
    void commitOfWhatProductionRolledBack_isAMiss() throws Exception {
        try (MySqlSides sides = open("wait: 2s");
                Connection production = sides.production(DRIVER);
                Connection debug = sides.debug(DRIVER)) {
            for (Connection one : new Connection[] {production, debug}) {
                one.setAutoCommit(false);
                assertThat(write(one)).isEqualTo(1);
            }
            production.rollback();
            assertMissed(debug::commit);
            assertThat(count(production)).isZero();
            assertThat(count(debug)).isZero();
            debug.rollback();
        }
    }

    private interface Call {
        void run() throws SQLException;
    }

    private static void assertMissed(Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("UD001"));
    }

    private static MySqlSides open(String... settings) throws Exception {
        MySqlSides sides = new MySqlSides(settings);
        sides.direct("DROP TABLE IF EXISTS things", "CREATE TABLE things (id int)");
        return sides;
    }

    private static int write(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(INSERT);
        }
    }

    private static int count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COUNT)) {
            row.next();
            return row.getInt(1);
        }
    }
}
