package dev.understudy.aggregator;

import dev.understudy.relay.TestKeys;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Production with TLS on either side of the aggregator, whose server offers it. */
@Tag("process")
class PostgresTlsTest {
    private static final String MEANT = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

    @TempDir
    static Path folder;

    private static TestKeys here;
    private static TestKeys there;
    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws Exception {
        here = TestKeys.make(folder, "localhost", "EC");
        there = TestKeys.make(folder, "db.test", "EC");
        Files.setPosixFilePermissions(there.files.key(), PosixFilePermissions.fromString("rw-------"));
        server = PostgresProgram.another()
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", there.files.chain().toString())
                .setServerConfig("ssl_key_file", there.files.key().toString())
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void tlsOnBothSides_isRecorded() throws Exception {
        try (Aggregator aggregator = open(clientsTls(), upstreamTls())) {
            String verified = "sslmode=verify-full&sslrootcert=" + here.files.chain();
            assertThat(asked(aggregator, "localhost", verified)).isEqualTo("t");
            assertThat(asked(aggregator, "localhost", "sslmode=disable"))
                    .as("plain text up to here, TLS from here on")
                    .isEqualTo("t");
            assertRecorded(aggregator, 2);
        }
    }

    @Test
    void upstreamThatWantsTls_getsIt_whileProductionSpeaksPlainText() throws Exception {
        try (Aggregator aggregator = open(upstreamTls())) {
            assertThat(asked(aggregator, "localhost", "sslmode=prefer")).isEqualTo("t");
            assertThatThrownBy(() -> asked(aggregator, "localhost", "sslmode=require"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("does not support SSL");
            assertRecorded(aggregator, 1);
        }
    }

    @Test
    void productionThatWantsTls_getsIt_whileTheUpstreamSpeaksPlainText() throws Exception {
        try (Aggregator aggregator = open(clientsTls())) {
            assertThat(asked(aggregator, "localhost", "sslmode=require")).isEqualTo("f");
            assertRecorded(aggregator, 1);
        }
    }

    @Test
    void upstreamWithAnotherCertificate_isNotSpokenTo() throws Exception {
        try (Aggregator aggregator =
                open("production-tls: { server-name: db.test, ca: %s }".formatted(here.files.chain()))) {
            assertThatThrownBy(() -> asked(aggregator, "localhost", "sslmode=disable"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void tlsThatIsPassedThrough_works_andIsSaidNotToBeRecorded() throws Exception {
        try (Aggregator aggregator = open()) {
            assertThat(asked(aggregator, "localhost", "sslmode=prefer")).isEqualTo("t");
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"unframed\":{\"ENCRYPTED\":1}"));
            assertThat(TestAggregator.status(aggregator)).contains("\"exchanges\":0");
        }
    }

    private static void assertRecorded(Aggregator aggregator, int connections) throws Exception {
        try (Connection debug = DriverManager.getConnection(
                "jdbc:postgresql://localhost:%d/postgres?sslmode=disable"
                        .formatted(((InetSocketAddress) aggregator.debugAddress("test")).getPort()),
                "nobody-knows",
                "wrong")) {
            for (int i = 0; i < connections; i++) {
                assertThat(ask(debug)).isIn("t", "f");
            }
        }
        assertThat(TestAggregator.status(aggregator)).contains("\"unframed\":{}", "\"missed\":0");
    }

    private static Aggregator open(String... settings) throws IOException {
        String production = String.join(
                ", ",
                Stream.concat(
                                Stream.of("listen: 127.0.0.1:0", "upstream: 127.0.0.1:" + server.getPort()),
                                Stream.of(settings))
                        .toList());
        return TestAggregator.open("postgres", 0, "wait: 30s", "production: { " + production + " }");
    }

    private static String clientsTls() {
        return "tls: { certificates: [{ certificate: %s, key: %s }] }".formatted(here.files.chain(), here.files.key());
    }

    private static String upstreamTls() {
        return "production-tls: { server-name: db.test, ca: %s }".formatted(there.files.chain());
    }

    private static String asked(Aggregator aggregator, String host, String properties) throws SQLException {
        try (Connection production = DriverManager.getConnection(
                "jdbc:postgresql://%s:%d/postgres?%s"
                        .formatted(host, aggregator.productionAddress("test").getPort(), properties),
                "postgres",
                "postgres")) {
            return ask(production);
        }
    }

    private static String ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(MEANT)) {
            row.next();
            return row.getString(1);
        }
    }
}
