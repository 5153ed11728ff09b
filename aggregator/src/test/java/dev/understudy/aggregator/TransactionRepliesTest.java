package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Transactions that say the same at the same time: the debug side never sees one made of two of production's. */
@Tag("process")
class TransactionRepliesTest {
    private static final int AT_ONCE = 3;
    private static final String MAX = "SELECT max(id) FROM pairs";
    private static final String INSERT = "INSERT INTO pairs (n) VALUES (1)";

    /** Opens connections, of one side. */
    @FunctionalInterface
    private interface Side {
        Connection open() throws SQLException;
    }

    @Test
    void postgres_givesRepliesOfOneTransaction() throws Exception {
        PostgresSides.direct("DROP TABLE IF EXISTS pairs", "CREATE TABLE pairs (id serial PRIMARY KEY, n int)");
        try (PostgresSides sides = new PostgresSides("wait: 1s")) {
            List<String> seen = interleaved(() -> sides.production(""), true);
            sides.awaitRecorded();
            List<String> replayed = interleaved(() -> sides.debug(""), false);

            assertThat(replayed).containsExactlyInAnyOrderElementsOf(seen).doesNotHaveDuplicates();
            assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0", "\"TRANSACTION\":6");
        }
    }

    @Test
    void mariaDb_givesRepliesOfOneTransaction() throws Exception {
        try (MySqlSides sides = new MySqlSides("wait: 1s")) {
            List<String> seen;
            try (Connection table = sides.production("mariadb ");
                    Statement statement = table.createStatement()) {
                statement.execute("DROP TABLE IF EXISTS pairs");
                statement.execute("CREATE TABLE pairs (id int AUTO_INCREMENT PRIMARY KEY, n int)");
            }
            seen = interleaved(() -> sides.production("mariadb "), true);
            sides.awaitRecorded();
            List<String> replayed = interleaved(() -> sides.debug("mariadb "), false);

            assertThat(replayed).containsExactlyInAnyOrderElementsOf(seen).doesNotHaveDuplicates();
            assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0", "\"TRANSACTION\":6");
        }
    }

    /**
     * Transactions that each read, write and read, in turns: forwards, or each turn from the last one on.
     *
     * @return what each of them saw
     */
    private static List<String> interleaved(Side side, boolean forwards) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                Connection connection = side.open();
                connection.setAutoCommit(false);
                all.add(connection);
                seen.add("");
            }
            for (int step = 0; step < AT_ONCE; step++) {
                for (int turn = 0; turn < AT_ONCE; turn++) {
                    int i = forwards == (step % 2 == 0) ? turn : AT_ONCE - 1 - turn;
                    seen.set(i, seen.get(i) + step(all.get(i), step));
                }
            }
            for (Connection connection : all) {
                connection.commit();
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return seen;
    }

    private static String step(Connection connection, int step) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (step == 1) {
                statement.executeUpdate(INSERT, Statement.RETURN_GENERATED_KEYS);
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    keys.next();
                    return "inserted " + keys.getInt(1) + " ";
                }
            }
            try (ResultSet row = statement.executeQuery(MAX)) {
                row.next();
                return row.getInt(1) + " ";
            }
        }
    }
}
