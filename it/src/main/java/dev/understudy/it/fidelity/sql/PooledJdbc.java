package dev.understudy.it.fidelity.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.fidelity.server.Server;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * HikariCP and pgjdbc: the same work for each of many keys, in another order and over another number of connections.
 */
public final class PooledJdbc implements Suite {
    private static final int THREADS = 16;

    private final int productionSize;
    private final int debugSize;
    private final int keys;

    /** Makes one whose pools have so many connections. */
    public PooledJdbc(int productionSize, int debugSize, int keys) {
        this.productionSize = productionSize;
        this.debugSize = debugSize;
        this.keys = keys;
    }

    @Override
    public String name() {
        return "pool-" + productionSize + "-" + debugSize;
    }

    @Override
    public String about() {
        return ("HikariCP 7.0.2 with pgjdbc 42.7.13, %d connections in production and %d in debug, "
                        + "%d threads, %d keys in another order; an operation is a statement or transaction")
                .formatted(productionSize, debugSize, THREADS, keys);
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.POSTGRES;
    }

    @Override
    public void prepare(Server server) throws Exception {
        PostgresServer.prepare(
                server,
                "DROP TABLE IF EXISTS lines, accounts",
                "CREATE TABLE accounts (key int PRIMARY KEY, balance numeric(12,2) NOT NULL,"
                        + " opened timestamptz NOT NULL DEFAULT now())",
                "CREATE TABLE lines (id bigserial PRIMARY KEY, key int NOT NULL REFERENCES accounts,"
                        + " text varchar(100), amount int, tags text[], at timestamptz NOT "
                        + "NULL DEFAULT clock_timestamp())");
    }

    @Override
    public void run(Side side) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (HikariDataSource pool = pool(side)) {
            List<Future<?>> all = new ArrayList<>();
            for (int n = 0; n < keys; n++) {
                int key = side.inOrder(n, keys);
                all.add(threads.submit(() -> work(side, pool, key)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private HikariDataSource pool(Side side) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.url(side.port(), ""));
        config.setUsername(side.user());
        config.setPassword("any");
        config.setMaximumPoolSize(side.debug() ? debugSize : productionSize);
        return new HikariDataSource(config);
    }

    private static void work(Side side, HikariDataSource pool, int key) {
        step(side, pool, key, "open", connection -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO accounts VALUES (?, ?)")) {
                insert.setInt(1, key);
                insert.setBigDecimal(2, BigDecimal.valueOf(key, 2));
                return "" + insert.executeUpdate();
            }
        });
        step(side, pool, key, "lines", connection -> lines(connection, key));
        step(side, pool, key, "move", connection -> move(connection, key));
        step(side, pool, key, "opened", connection -> {
            try (PreparedStatement select = connection.prepareStatement("SELECT * FROM accounts WHERE key = ?")) {
                select.setInt(1, key);
                return Rows.all(select.executeQuery());
            }
        });
        step(side, pool, key, "sum", connection -> {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT key, sum(amount), array_agg(text ORDER BY id) AS texts, min(at) FROM lines"
                            + " WHERE key = ? GROUP BY key")) {
                select.setInt(1, key);
                return Rows.all(select.executeQuery());
            }
        });
        step(side, pool, key, "again", connection -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO accounts VALUES (?, 0)")) {
                insert.setInt(1, key);
                return "" + insert.executeUpdate();
            }
        });
        step(side, pool, key, "settings", connection -> {
            try (Statement statement = connection.createStatement()) {
                return Rows.of(statement, "SELECT name, setting FROM pg_settings WHERE name = 'server_version_num'");
            }
        });
    }

    private static String lines(Connection connection, int key) throws Exception {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO lines (key, text, amount, tags) VALUES (?, ?, ?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int line = 0; line < 3; line++) {
                insert.setInt(1, key);
                insert.setString(2, "line " + line);
                insert.setInt(3, key * line);
                insert.setArray(4, connection.createArrayOf("text", new Object[] {"a", "b" + key}));
                insert.addBatch();
            }
            insert.executeBatch();
            return Rows.all(insert.getGeneratedKeys());
        }
    }

    private static String move(Connection connection, int key) throws Exception {
        connection.setAutoCommit(false);
        try (PreparedStatement lock =
                        connection.prepareStatement("SELECT balance FROM accounts WHERE key = ? FOR UPDATE");
                PreparedStatement update =
                        connection.prepareStatement("UPDATE accounts SET balance = balance + ? WHERE key = ?")) {
            lock.setInt(1, key);
            String before = Rows.all(lock.executeQuery());
            update.setInt(1, key % 7);
            update.setInt(2, key);
            int updated = update.executeUpdate();
            String after = Rows.all(lock.executeQuery());
            if (key % 5 == 0) {
                connection.rollback();
                return before + updated + after + Rows.all(lock.executeQuery());
            }
            connection.commit();
            return before + updated + after;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static void step(Side side, HikariDataSource pool, int key, String step, Work work) {
        side.transcript().add(step + " of key " + key, () -> {
            try (Connection connection = pool.getConnection()) {
                return work.on(connection);
            }
        });
    }
}
