package dev.understudy.aggregator;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A server that insists on a password: production proves it through the relay, the debug side needs none. */
class PostgresPasswordTest {
    private static final String PASSWORD = "long-and-secret-0815";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"scram-sha-256", "md5"})
    void production_authenticatesAndDebugWithAnything(String method) throws Exception {
        Path rules = folder.resolve("pg_hba.conf");
        Files.writeString(
                rules,
                "host all guarded 127.0.0.1/32 " + method + "\nlocal all all trust\nhost all all 127.0.0.1/32 trust\n");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-r--r--"));
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("hba_file", rules.toString())
                        .setServerConfig("password_encryption", method)
                        .start();
                Aggregator aggregator = TestAggregator.open("postgres", server.getPort(), "wait: 1s")) {
            try (Connection direct = server.getPostgresDatabase().getConnection();
                    Statement statement = direct.createStatement()) {
                statement.execute("CREATE ROLE guarded LOGIN PASSWORD '" + PASSWORD + "'");
            }
            int production = aggregator.productionAddress("test").getPort();
            int debug = ((InetSocketAddress) aggregator.debugAddress("test")).getPort();

            assertThatThrownBy(() -> user(production, "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            assertThat(user(production, PASSWORD)).isEqualTo("guarded");
            assertThat(user(debug, "wrong")).isEqualTo("guarded");
            assertThat(user(debug, "")).isEqualTo("guarded");

            for (String page : List.of("/v1/status", "/v1/misses", "/metrics")) {
                assertThat(TestAggregator.get(aggregator, page)).doesNotContain(PASSWORD);
            }
        }
    }

    private static String user(int port, String password) throws SQLException {
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        try (Connection connection = DriverManager.getConnection(url, "guarded", password);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_user")) {
            row.next();
            return row.getString(1);
        }
    }
}
