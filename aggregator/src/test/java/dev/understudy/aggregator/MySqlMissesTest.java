package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the debug side gets where production has nothing more to give. */
@Tag("process")
class MySqlMissesTest {
    private static final String DRIVER = "mariadb ";
    private static final String COUNT = "SELECT COUNT(*) FROM things";
    private static final String INSERT = "INSERT INTO things VALUES (1)";

    @Test
    void readsAreRepeated_writesAndWhatFollowsThemAreNot() throws Exception {
        try (MySqlSides sides = open("wait: 1ms", "miss: repeat-last")) {
            try (Connection production = sides.production(DRIVER)) {
                production.setAutoCommit(false);
                assertThat(count(production)).isZero();
                assertThat(write(production)).isEqualTo(1);
                assertThat(count(production)).isEqualTo(1);
                production.commit();
            }
            TestAggregator.awaitRecorded(sides.aggregator, 1);
            try (Connection debug = sides.debug(DRIVER)) {
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
    }

    @Test
    void commitOfWhatProductionRolledBack_isAMiss() throws Exception {
        try (MySqlSides sides = open("wait: 30s");
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

    @Test
    void moreRowsThanProductionHasRead_areAMissThatSaysSo() throws Exception {
        String cursors = "mysql useServerPrepStmts=true&useCursorFetch=true";
        try (MySqlSides sides = open("wait: 1ms")) {
            sides.direct("INSERT INTO things SELECT seq FROM seq_1_to_50");
            try (Connection production = sides.production(cursors)) {
                for (int i = 0; i < 4; i++) {
                    assertThat(read(production, 10, 15)).isEqualTo(15);
                }
            }
            TestAggregator.awaitRecorded(sides.aggregator, 1);
            try (Connection debug = sides.debug(cursors)) {
                assertThat(read(debug, 10, 15)).isEqualTo(15);
                assertThatThrownBy(() -> read(debug, 10, 50)).hasMessageContaining("production has read no further");
                assertThatThrownBy(() -> read(debug, 0, 50))
                        .hasMessageContaining("production has read a part of its rows only");
            }
            Eventually.await(() -> AggregatorProcess.number(TestAggregator.status(sides.aggregator), "unfit") == 2);
        }
    }

    /** Reads so many rows by the piece; all at once for 0. */
    private static int read(Connection connection, int piece, int most) throws SQLException {
        int read = 0;
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM things WHERE id > ? ORDER BY id")) {
            select.setFetchSize(piece);
            select.setInt(1, 0);
            try (ResultSet rows = select.executeQuery()) {
                while (read < most && rows.next()) {
                    read++;
                }
            }
        }
        return read;
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
