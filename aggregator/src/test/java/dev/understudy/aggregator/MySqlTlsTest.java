package dev.understudy.aggregator;

import dev.understudy.relay.TestKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** TLS on either side of production, and at the debug port, with a real MariaDB that offers it, by both drivers. */
@Tag("process")
class MySqlTlsTest {
    private static final String MEANT =
            "SELECT variable_value <> '' FROM information_schema.session_status WHERE variable_name = 'SSL_CIPHER'";
    private static final String TLS = "1";
    private static final String PLAIN = "0";

    @TempDir
    static Path folder;

    private static TestKeys here;
    private static TestKeys there;
    private static MariaDbServer server;

    @BeforeAll
    static void start() throws Exception {
        here = TestKeys.make(folder, "localhost", "EC");
        there = TestKeys.make(folder, "db.test", "EC");
        server = MariaDbServer.withTls(there.files);
        try (Connection direct = server.direct();
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE USER wary@'%' IDENTIFIED BY 'secret' REQUIRE SSL");
            statement.execute("GRANT ALL ON *.* TO wary@'%'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void tlsOnBothSides_isRecorded(String driver) throws Exception {
        try (Aggregator aggregator = open(server.port(), clientsTls(), upstreamTls())) {
            assertThat(asked(aggregator, driver, "app", verified(driver))).isEqualTo(TLS);
            assertThat(asked(aggregator, driver, "app", plain(driver)))
                    .as("plain text up to here, TLS from here on")
                    .isEqualTo(TLS);
            assertRecorded(aggregator, driver, plain(driver), 2, TLS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void upstreamThatWantsTls_getsIt_whileProductionSpeaksPlainText(String driver) throws Exception {
        try (Aggregator aggregator = open(server.port(), upstreamTls())) {
            assertThat(asked(aggregator, driver, "wary", plain(driver))).isEqualTo(TLS);
            assertThatThrownBy(() -> asked(aggregator, driver, "app", unverified(driver)))
                    .isInstanceOf(SQLException.class);
            assertRecorded(aggregator, driver, plain(driver), 1, TLS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void productionThatWantsTls_getsIt_whileTheUpstreamSpeaksPlainText(String driver) throws Exception {
        try (Aggregator aggregator = open(MariaDbServer.get().port(), clientsTls())) {
            assertThat(asked(aggregator, driver, "app", verified(driver))).isEqualTo(PLAIN);
            assertRecorded(aggregator, driver, plain(driver), 1, PLAIN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void wrongPassword_isRefusedInTheServersWords(String driver) throws Exception {
        try (Aggregator aggregator = open(server.port(), clientsTls(), upstreamTls())) {
            for (String properties : new String[] {verified(driver), plain(driver)}) {
                assertThatThrownBy(
                                () -> connect(driver, aggregator.productionAddress("test"), "app", "wrong", properties)
                                        .close())
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("Access denied");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void upstreamWithAnotherCertificate_orWithoutTls_isNotSpokenTo(String driver) throws Exception {
        try (Aggregator another = open(
                        server.port(),
                        "production-tls: { server-name: db.test, ca: %s }".formatted(here.files.chain()));
                Aggregator none = open(MariaDbServer.get().port(), upstreamTls())) {
            for (Aggregator aggregator : new Aggregator[] {another, none}) {
                assertThatThrownBy(() -> asked(aggregator, driver, "app", plain(driver)))
                        .isInstanceOf(SQLException.class);
                assertThat(TestAggregator.status(aggregator)).contains("\"exchanges\":0");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void tlsThatIsPassedThrough_works_andIsSaidNotToBeRecorded(String driver) throws Exception {
        try (Aggregator aggregator = open(server.port())) {
            assertThat(asked(aggregator, driver, "app", unverified(driver))).isEqualTo(TLS);
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"unframed\":{\"ENCRYPTED\":1}"));
            assertThat(TestAggregator.status(aggregator)).contains("\"exchanges\":0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void debugClient_verifiesTheAuthority_andRefusesAnother(String driver) throws Exception {
        try (Aggregator aggregator = open(server.port(), clientsTls(), upstreamTls())) {
            assertThat(asked(aggregator, driver, "app", verified(driver))).isEqualTo(TLS);
            URI control =
                    URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort());
            Path pem = fetch(control.resolve("/v1/ca.crt"));
            Path store = fetch(control.resolve("/v1/ca.p12"));

            assertRecorded(aggregator, driver, verified(driver, pem, store), 1, TLS);
            InetSocketAddress port = (InetSocketAddress) aggregator.debugAddress("test");
            assertThatThrownBy(() -> connect(driver, port, "nobody-knows", "wrong", verified(driver))
                            .close())
                    .isInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void debugPortWithoutTls_offersNone(String driver) throws Exception {
        try (Aggregator aggregator = TestAggregator.open(
                "mysql", MariaDbServer.get().port(), "wait: 30s", "debug: { listen: 127.0.0.1:0, tls: false }")) {
            assertThat(asked(aggregator, driver, "app", plain(driver))).isEqualTo(PLAIN);
            InetSocketAddress port = (InetSocketAddress) aggregator.debugAddress("test");
            assertThatThrownBy(() -> connect(driver, port, "app", "secret", unverified(driver))
                            .close())
                    .isInstanceOf(SQLException.class);
            assertRecorded(aggregator, driver, plain(driver), 1, PLAIN);
        }
    }

    private static void assertRecorded(
            Aggregator aggregator, String driver, String properties, int connections, String answer)
            throws SQLException {
        InetSocketAddress port = (InetSocketAddress) aggregator.debugAddress("test");
        try (Connection debug = connect(driver, port, "nobody-knows", "wrong", properties)) {
            for (int i = 0; i < connections; i++) {
                assertThat(ask(debug)).isEqualTo(answer);
            }
        }
        assertThat(TestAggregator.status(aggregator)).contains("\"unframed\":{}", "\"missed\":0");
    }

    private static Aggregator open(int upstream, String... settings) throws IOException {
        String production = String.join(
                ", ",
                Stream.concat(Stream.of("listen: 127.0.0.1:0", "upstream: 127.0.0.1:" + upstream), Stream.of(settings))
                        .toList());
        return TestAggregator.open("mysql", 0, "wait: 30s", "production: { " + production + " }");
    }

    private static String clientsTls() {
        return "tls: { certificates: [{ certificate: %s, key: %s }] }".formatted(here.files.chain(), here.files.key());
    }

    private static String upstreamTls() {
        return "production-tls: { server-name: db.test, ca: %s }".formatted(there.files.chain());
    }

    private static String verified(String driver) {
        return verified(driver, here.files.chain(), folder.resolve("localhost.p12"));
    }

    private static String verified(String driver, Path pem, Path store) {
        return driver.equals("mariadb")
                ? "sslMode=verify-full&serverSslCert=" + pem
                : "sslMode=VERIFY_IDENTITY&trustCertificateKeyStorePassword=changeit&trustCertificateKeyStoreType=PKCS12"
                        + "&fallbackToSystemTrustStore=false&trustCertificateKeyStoreUrl=" + store.toUri();
    }

    private static String unverified(String driver) {
        return driver.equals("mariadb") ? "sslMode=trust" : "sslMode=REQUIRED";
    }

    private static String plain(String driver) {
        return driver.equals("mariadb") ? "sslMode=disable" : "sslMode=DISABLED";
    }

    private static Path fetch(URI uri) throws IOException {
        try (var in = uri.toURL().openStream()) {
            return Files.write(Files.createTempFile(folder, "ca", ""), in.readAllBytes());
        }
    }

    private static String asked(Aggregator aggregator, String driver, String user, String properties)
            throws SQLException {
        try (Connection production =
                connect(driver, aggregator.productionAddress("test"), user, "secret", properties)) {
            return ask(production);
        }
    }

    private static Connection connect(
            String driver, InetSocketAddress port, String user, String password, String properties)
            throws SQLException {
        return DriverManager.getConnection(
                "jdbc:%s://localhost:%d/app?%s".formatted(driver, port.getPort(), properties), user, password);
    }

    private static String ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(MEANT)) {
            row.next();
            return row.getString(1);
        }
    }
}
