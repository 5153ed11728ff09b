package dev.understudy.aggregator;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.Array;
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
 * A real PostgreSQL behind a real aggregator, and the two sides' connections to it. The debug side's user and password
 * exist nowhere.
 */
final class PostgresSides implements AutoCloseable {
    final Aggregator aggregator;
    private final AtomicInteger opened = new AtomicInteger();

    PostgresSides(String... settings) throws IOException {
        aggregator = TestAggregator.open("postgres", PostgresProgram.port(), settings);
    }

    /** Work that one side does; what it saw, line by line. */
    @FunctionalInterface
    interface Work {
        List<String> on(Connection connection) throws Exception;
    }

    /** Does the work in production and then on the debug side, and checks that both saw the same. */
    List<String> sameOnBothSides(String production, String debug, Work work) throws Exception {
        List<String> seen;
        try (Connection connection = production(production)) {
            seen = work.on(connection);
        }
        awaitRecorded();
        try (Connection connection = debug(debug)) {
            assertThat(work.on(connection)).isEqualTo(seen);
        }
        assertThat(seen).isNotEmpty();
        return seen;
    }

    /** Waits until all that production's connections were told is recorded; they are closed by now. */
    void awaitRecorded() throws Exception {
        TestAggregator.awaitRecorded(aggregator, opened.get());
    }

    Connection production(String properties) throws SQLException {
        opened.incrementAndGet();
        return DriverManager.getConnection(productionUrl(properties), "postgres", "postgres");
    }

    Connection debug(String properties) throws SQLException {
        return DriverManager.getConnection(debugUrl(properties), "nobody-knows", "wrong");
    }

    HikariDataSource productionPool(int size, String properties) {
        return pool("production", productionUrl(properties), "postgres", size);
    }

    HikariDataSource debugPool(int size, String properties) {
        return pool("debug", debugUrl(properties), "nobody-knows", size);
    }

    Aggregator aggregator() {
        return aggregator;
    }

    int debugPort() {
        return ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
    }

    int productionPort() {
        return aggregator.productionAddress("test").getPort();
    }

    /** Runs statements on the server itself, past the aggregator. */
    static void direct(String... statements) throws SQLException {
        try (Connection connection = PostgresProgram.direct();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** One number that the server itself tells. */
    static long directNumber(String query) throws SQLException {
        try (Connection connection = PostgresProgram.direct();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
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
                row.append(columns.getColumnLabel(i))
                        .append('=')
                        .append(text(rows.getObject(i)))
                        .append(' ');
            }
            seen.add(row.toString());
        }
        return seen;
    }

    /** The driver prints some values differently depending on the format in which they came. */
    private static String text(Object value) throws SQLException {
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        if (value instanceof Array array) {
            return Arrays.deepToString((Object[]) array.getArray());
        }
        return String.valueOf(value);
    }

    static List<String> failure(SQLException e) {
        return List.of(e.getSQLState() + " " + e.getMessage());
    }

    @Override
    public void close() {
        aggregator.close();
    }

    private static HikariDataSource pool(String name, String url, String user, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword("postgres");
        config.setMaximumPoolSize(size);
        config.setPoolName(name);
        return new HikariDataSource(config);
    }

    private String productionUrl(String properties) {
        return "jdbc:postgresql://127.0.0.1:" + productionPort() + "/postgres?" + properties;
    }

    private String debugUrl(String properties) {
        return "jdbc:postgresql://127.0.0.1:" + debugPort() + "/postgres?" + properties;
    }
}
