package dev.understudy.aggregator;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Pools of different sizes, and threads that interleave differently, on the two sides. */
@Tag("process")
class MySqlConcurrencyTest {
    private static final int THREADS = 6;
    private static final int ROUNDS = 15;

    @ParameterizedTest
    @CsvSource({"mariadb ,8,3", "mysql useServerPrepStmts=true,2,7"})
    void poolsOfAnySize_getTheirOwnAnswers(String driver, int productionSize, int debugSize) throws Exception {
        try (MySqlSides sides = new MySqlSides("wait: 30s")) {
            sides.direct(
                    "DROP TABLE IF EXISTS accounts",
                    "CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)");
            for (int i = 0; i < THREADS; i++) {
                sides.direct("INSERT INTO accounts VALUES (" + i + ", 0)");
            }
            String url = driver.contains(" ") ? driver : driver + " ";
            List<List<Integer>> seen;
            try (HikariDataSource pool = sides.productionPool(url, productionSize)) {
                seen = work(pool);
            }
            try (HikariDataSource pool = sides.debugPool(url, debugSize)) {
                assertThat(work(pool)).isEqualTo(seen);
            }
            assertThat(seen)
                    .allSatisfy(one -> assertThat(one).hasSize(ROUNDS).last().isEqualTo(ROUNDS));
        }
    }

    /** Each thread adds to its own account, in transactions, and reads it back. */
    private static List<List<Integer>> work(HikariDataSource pool) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<Integer>>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int account = i;
                running.add(threads.submit(() -> rounds(pool, account)));
            }
            List<List<Integer>> seen = new ArrayList<>();
            for (Future<List<Integer>> one : running) {
                seen.add(one.get());
            }
            return seen;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Integer> rounds(HikariDataSource pool, int account) throws Exception {
        List<Integer> balances = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement add =
                                connection.prepareStatement("UPDATE accounts SET balance = balance + 1 WHERE id = ?");
                        PreparedStatement read =
                                connection.prepareStatement("SELECT balance FROM accounts WHERE id = ?")) {
                    add.setInt(1, account);
                    assertThat(add.executeUpdate()).isEqualTo(1);
                    read.setInt(1, account);
                    ResultSet row = read.executeQuery();
                    row.next();
                    balances.add(row.getInt(1));
                }
                connection.commit();
            }
        }
        return balances;
    }
}
