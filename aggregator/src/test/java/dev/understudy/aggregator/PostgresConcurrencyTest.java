package dev.understudy.aggregator;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PostgresSides.directNumber;
import static dev.understudy.aggregator.PostgresSides.rows;
import static org.assertj.core.api.Assertions.assertThat;

/** Many clients at once on both sides, through pools that mix their requests differently. */
@Tag("process")
class PostgresConcurrencyTest {
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 40;

    @Test
    void bothSidesAtOnce_seeTheSameAndTheServerSeesOne() throws Exception {
        PostgresSides.direct(
                "DROP TABLE IF EXISTS stock",
                "CREATE TABLE stock (id bigserial PRIMARY KEY, client int, round int, "
                        + "changed timestamptz DEFAULT now())");
        ExecutorService threads = Executors.newFixedThreadPool(2 * CLIENTS);
        try (PostgresSides sides = new PostgresSides("wait: 30s");
                HikariDataSource production = sides.productionPool(6, "prepareThreshold=3");
                HikariDataSource debug = sides.debugPool(CLIENTS, "")) {
            List<Future<List<String>>> produced = clients(threads, production);
            List<Future<List<String>>> debugged = clients(threads, debug);
            for (int i = 0; i < CLIENTS; i++) {
                assertThat(debugged.get(i).get(60, TimeUnit.SECONDS))
                        .isEqualTo(produced.get(i).get(60, TimeUnit.SECONDS))
                        .hasSizeGreaterThan(ROUNDS);
            }
            assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
        } finally {
            threads.shutdownNow();
        }
        PostgresSides.direct("SELECT pg_stat_clear_snapshot()");
        assertThat(directNumber("SELECT count(*) FROM stock")).isEqualTo(CLIENTS * ROUNDS / 2);
        assertThat(directNumber("SELECT last_value FROM stock_id_seq")).isEqualTo(CLIENTS * ROUNDS);
        assertThat(directNumber("SELECT count(*) FROM pg_stat_activity WHERE usename = 'nobody-knows'"))
                .isZero();
    }

    private static List<Future<List<String>>> clients(ExecutorService threads, HikariDataSource pool) {
        return IntStream.range(0, CLIENTS)
                .mapToObj(client -> threads.submit((Callable<List<String>>) () -> work(pool, client)))
                .toList();
    }

    /** Half of the rounds are rolled back. */
    private static List<String> work(HikariDataSource pool, int client) throws SQLException {
        List<String> seen = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO stock (client, round) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
                    insert.setInt(1, client);
                    insert.setInt(2, round);
                    insert.executeUpdate();
                    seen.addAll(rows(insert.getGeneratedKeys()));
                }
                if (round % 2 == 0) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            try (Connection connection = pool.getConnection();
                    PreparedStatement select = connection.prepareStatement(
                            "SELECT id, round FROM stock WHERE client = ? AND round < ? ORDER BY id")) {
                select.setInt(1, client);
                select.setInt(2, round);
                seen.addAll(rows(select.executeQuery()));
            }
        }
        return seen;
    }
}
