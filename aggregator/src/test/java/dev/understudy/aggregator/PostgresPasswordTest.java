package dev.understudy.aggregator;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A server that insists on a password: production proves it through the relay, the debug side needs none. */
@Tag("process")
class PostgresPasswordTest {
    private static final String PASSWORD = "long-and-secret-0815";

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        Path rules = folder.resolve("pg_hba.conf");
        Files.writeString(rules, """
                host all scram-sha-256 127.0.0.1/32 scram-sha-256
                host all md5 127.0.0.1/32 md5
                local all all trust
                host all all 127.0.0.1/32 trust
                """);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-r--r--"));
        server = PostgresProgram.another()
                .setServerConfig("hba_file", rules.toString())
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"scram-sha-256", "md5"})
    void production_authenticatesAndDebugWithAnything(String method) throws Exception {
        try (Aggregator aggregator = TestAggregator.open("postgres", server.getPort(), "wait: 30s")) {
            try (Connection direct = server.getPostgresDatabase().getConnection();
                    Statement statement = direct.createStatement()) {
                statement.execute("SET password_encryption = '" + method + "'");
                statement.execute("CREATE ROLE \"" + method + "\" LOGIN PASSWORD '" + PASSWORD + "'");
            }
            int production = aggregator.productionAddress("test").getPort();
            int debug = ((InetSocketAddress) aggregator.debugAddress("test")).getPort();

            assertThatThrownBy(() -> user(production, method, "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            assertThat(user(production, method, PASSWORD)).isEqualTo(method);
            assertThat(user(debug, method, "wrong")).isEqualTo(method);
            assertThat(user(debug, method, "")).isEqualTo(method);

            for (String page : List.of("/v1/status", "/v1/misses", "/metrics")) {
                assertThat(TestAggregator.get(aggregator, page)).doesNotContain(PASSWORD);
            }
        }
    }

    private static String user(int port, String name, String password) throws SQLException {
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        try (Connection connection = DriverManager.getConnection(url, name, password);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_user")) {
            row.next();
            return row.getString(1);
        }
    }
}
