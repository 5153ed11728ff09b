package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * {@code miss: repeat-last} gives a reply again to reads only, and not where a write of the same transaction may have
 * changed it.
 */
@Tag("process")
class PostgresRepeatLastTest {
    private static final String COUNT = "SELECT count(*) FROM repeated";
    private static final String LOCKING = "SELECT id FROM repeated FOR UPDATE";
    private static final String INSERT = "INSERT INTO repeated VALUES (1)";

    @Test
    void lastReply_isRepeatedToReadsOutsideWritingTransactions() throws Exception {
        PostgresSides.direct("DROP TABLE IF EXISTS repeated", "CREATE TABLE repeated (id int)");
        try (PostgresSides sides = new PostgresSides("wait: 1ms", "miss: repeat-last")) {
            try (Connection production = sides.production("")) {
                bothDo(production);
                run(production, INSERT);
                production.setAutoCommit(false);
                assertThat(first(production, COUNT)).isEqualTo(2);
                run(production, INSERT);
                production.rollback();
            }
            TestAggregator.awaitRecorded(sides.aggregator, 1);
            try (Connection debug = sides.debug("")) {
                bothDo(debug);
                repeats(debug);
            }
        }
    }

    private static void bothDo(Connection each) throws SQLException {
        assertThat(first(each, COUNT)).isZero();
        run(each, INSERT);
        run(each, LOCKING);
        each.setAutoCommit(false);
        run(each, INSERT);
        assertThat(first(each, COUNT)).as("seen by nobody else").isEqualTo(2);
        each.rollback();
        each.setAutoCommit(true);
    }

    private static void repeats(Connection debug) throws SQLException {
        assertThat(first(debug, COUNT)).as("outside a transaction").isZero();
        assertMissed(debug, LOCKING);
        assertMissed(debug, "INSERT INTO repeated VALUES (2)");

        debug.setAutoCommit(false);
        for (String time : new String[] {"first", "again"}) {
            assertThat(first(debug, COUNT))
                    .as("in a transaction that only reads, %s", time)
                    .isEqualTo(2);
        }
        run(debug, INSERT);
        assertMissed(debug, COUNT);
        debug.rollback();
        assertThat(first(debug, COUNT)).as("in the next transaction").isEqualTo(2);
    }

    private static void assertMissed(Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql))
                .as(sql)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("UD001"));
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int first(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }
}
