package dev.understudy.aggregator;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A real server, the real driver and a real pool on both sides. */
class PostgresEndToEndTest {
    private static EmbeddedPostgres server;

    private Aggregator aggregator;

    @BeforeAll
    static void startServer() throws Exception {
        server = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void openAggregator() throws Exception {
        aggregator = TestAggregator.open("postgres", server.getPort());
        try (Connection direct = server.getPostgresDatabase().getConnection();
                Statement statement = direct.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS orders");
            statement.execute("CREATE TABLE orders (id bigserial PRIMARY KEY, sku text UNIQUE, quantity int NOT NULL,"
                    + " price numeric(10,2), placed timestamptz NOT NULL DEFAULT now())");
        }
    }

    @AfterEach
    void closeAggregator() {
        aggregator.close();
    }

    @Test
    void workload_getsProductionsAnswers() throws Exception {
        List<String> produced = workload("production", 3, "prepareThreshold=5");
        assertThat(workload("debug", 1, "prepareThreshold=5")).isEqualTo(produced);
    }

    private List<String> workload(String side, int poolSize, String... properties) throws SQLException {
        List<String> seen = new ArrayList<>();
        try (HikariDataSource pool = pool(side, poolSize, properties)) {
            for (int i = 0; i < 12; i++) {
                try (Connection connection = pool.getConnection();
                        PreparedStatement insert = connection.prepareStatement(
                                "INSERT INTO orders (sku, quantity, price) VALUES (?, ?, ?)",
                                Statement.RETURN_GENERATED_KEYS)) {
                    insert.setString(1, "sku-" + i);
                    insert.setInt(2, i);
                    insert.setBigDecimal(3, new java.math.BigDecimal("9.90"));
                    seen.add("inserted " + insert.executeUpdate());
                    try (ResultSet keys = insert.getGeneratedKeys()) {
                        add(seen, keys);
                    }
                }
                try (Connection connection = pool.getConnection();
                        PreparedStatement select =
                                connection.prepareStatement("SELECT * FROM orders WHERE quantity <= ? ORDER BY id")) {
                    select.setInt(1, i);
                    try (ResultSet rows = select.executeQuery()) {
                        add(seen, rows);
                    }
                }
            }
        }
        return seen;
    }

    private static void add(List<String> seen, ResultSet rows) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 1; i <= columns; i++) {
                row.append(rows.getMetaData().getColumnName(i))
                        .append('=')
                        .append(rows.getString(i))
                        .append(' ');
            }
            seen.add(row.toString());
        }
    }

    private HikariDataSource pool(String side, int size, String... properties) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(side, properties));
        config.setUsername("postgres");
        config.setPassword(side.equals("debug") ? "wrong" : "postgres");
        config.setMaximumPoolSize(size);
        config.setPoolName(side);
        return new HikariDataSource(config);
    }

    private String url(String side, String... properties) {
        int port = side.equals("debug")
                ? ((InetSocketAddress) aggregator.debugAddress("test")).getPort()
                : aggregator.productionAddress("test").getPort();
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?" + String.join("&", properties);
    }
}
