package dev.understudy.aggregator;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real MariaDB behind a real aggregator, and the two sides' connections to it. The debug side's user and password
 * exist nowhere.
 */
final class MySqlSides implements AutoCloseable {
    /** The drivers, by the scheme of their URLs, with and without preparing on the server. */
    static final String[] DRIVERS = {
        "mariadb ", "mariadb useServerPrepStmts=true", "mysql ", "mysql useServerPrepStmts=true&cachePrepStmts=true"
    };

    final Aggregator aggregator;
    private final AtomicInteger opened = new AtomicInteger();
    private final MariaDbServer server;

    MySqlSides(String... settings) throws IOException, InterruptedException {
        server = MariaDbServer.get();
        aggregator = TestAggregator.open("mysql", server.port(), settings);
    }

    /** Work that one side does; what it saw, line by line. */
    @FunctionalInterface
    interface Work {
        List<String> on(Connection connection) throws Exception;
    }

    /**
     * Does the work in production and then on the debug side, and checks that both saw the same and that the server
     * heard of the first alone.
     */
    List<String> sameOnBothSides(String driver, Work work) throws Exception {
        List<String> seen;
        try (Connection connection = production(driver)) {
            seen = work.on(connection);
        }
        assertThat(seen).isNotEmpty();
        awaitRecorded();
        long before = connections();
        try (Connection connection = debug(driver)) {
            assertThat(work.on(connection)).isEqualTo(seen);
        }
        assertThat(connections() - before)
                .as("connections that the server has had, this question's and the debug side's")
                .isEqualTo(1);
        return seen;
    }

    /** Waits until all that production's connections were told is recorded; they are closed by now. */
    void awaitRecorded() throws Exception {
        TestAggregator.awaitRecorded(aggregator, opened.get());
    }

    Connection production(String driver) throws SQLException {
        opened.incrementAndGet();
        return DriverManager.getConnection(productionUrl(driver), "app", "secret");
    }

    Connection debug(String driver) throws SQLException {
        return DriverManager.getConnection(debugUrl(driver), "nobody-knows", "wrong");
    }

    HikariDataSource productionPool(String driver, int size) {
        return pool("production", productionUrl(driver), "app", "secret", size);
    }

    HikariDataSource debugPool(String driver, int size) {
        return pool("debug", debugUrl(driver), "nobody-knows", "wrong", size);
    }

    int debugPort() {
        return ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
    }

    int productionPort() {
        return aggregator.productionAddress("test").getPort();
    }

    /** Runs statements on the server itself, past the aggregator. */
    void direct(String... statements) throws SQLException {
        try (Connection connection = server.direct();
                Statement statement = connection.createStatement()) {
            statement.execute("USE app");
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Connections that the server has ever had, this question's among them, once all others are gone. */
    long connections() throws Exception {
        try (Connection connection = server.direct();
                Statement statement = connection.createStatement()) {
            Eventually.await(() -> counted(statement, "THREADS_CONNECTED") == 1);
            return counted(statement, "CONNECTIONS");
        }
    }

    private static long counted(Statement statement, String name) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "SELECT variable_value FROM information_schema.global_status WHERE variable_name = '" + name + "'")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Names and values of all rows. */
    static List<String> rows(ResultSet rows) throws SQLException {
        List<String> seen = new ArrayList<>();
        ResultSetMetaData columns = rows.getMetaData();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                Object value = rows.getObject(i);
                row.append(columns.getColumnLabel(i))
                        .append(':')
                        .append(columns.getColumnTypeName(i))
                        .append('=')
                        .append(value instanceof byte[] bytes ? Arrays.toString(bytes) : value)
                        .append(' ');
            }
            seen.add(row.toString());
        }
        return seen;
    }

    static List<String> failure(SQLException e) {
        return List.of(e.getSQLState() + " " + e.getErrorCode() + " "
                + String.valueOf(e.getMessage()).replaceAll("\\(conn=\\d+\\) ", ""));
    }

    @Override
    public void close() {
        aggregator.close();
    }

    private static HikariDataSource pool(String name, String url, String user, String password, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setPoolName(name);
        return new HikariDataSource(config);
    }

    private String productionUrl(String driver) {
        return url(driver, productionPort());
    }

    private String debugUrl(String driver) {
        return url(driver, debugPort());
    }

    private static String url(String driver, int port) {
        String[] parts = driver.split(" ", 2);
        return "jdbc:" + parts[0] + "://127.0.0.1:" + port + "/app?sslMode="
                + (parts[0].equals("mysql") ? "DISABLED&allowPublicKeyRetrieval=true" : "disable")
                + (parts[1].isEmpty() ? "" : "&" + parts[1]);
    }
}
