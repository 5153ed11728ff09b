package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.Ports;
import dev.understudy.sidecar.config.ListenerConfig;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A listener whose protocol is postgres, between a real driver and two real servers. */
@Tag("process")
final class SidecarPostgresTest {
    private static final String PASSWORD = "long-and-secret-0815";

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres production;
    private static EmbeddedPostgres debug;

    @BeforeAll
    static void start() throws IOException {
        Path rules = folder.resolve("pg_hba.conf");
        Files.writeString(
                rules,
                "host all guarded 127.0.0.1/32 scram-sha-256\nlocal all all trust\nhost all all 127.0.0.1/32 trust\n");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-r--r--"));
        production = EmbeddedPostgres.builder()
                .setPort(Ports.free())
                .setServerConfig("hba_file", rules.toString())
                .start();
        debug = EmbeddedPostgres.builder().setPort(Ports.free()).start();
    }

    @AfterAll
    static void stop() throws IOException {
        production.close();
        debug.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        both(
                "DROP TABLE IF EXISTS item, moved",
                "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric(8,2), at timestamptz DEFAULT now())",
                "INSERT INTO item VALUES (1, 'pen', 1.50, '2026-01-01 00:00Z'), (2, 'ink', 7.00, '2026-01-02 00:00Z')");
    }

    @Test
    void sameServers_areTheSame_inTextAndBatches() throws Exception {
        try (Stage stage = open(production, debug)) {
            try (Connection client = connect(stage, "prepareThreshold=2");
                    Statement statement = client.createStatement()) {
                statement.executeUpdate("SET application_name = 'shop'");
                client.setAutoCommit(false);
                for (int i = 3; i < 9; i++) {
                    insert(client, i);
                }
                client.commit();
                for (int i = 1; i < 9; i++) {
                    assertThat(name(client, i)).isNotEmpty();
                }
                client.setAutoCommit(true);
                rows(statement, "SELECT generate_series(1, 100000), repeat('x', 30)");
            }
            JsonNode status = ended(stage);
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).as(said(stage)).isZero();
            assertThat(status.get("notCompared")).as(said(stage)).isEmpty();
            // a start tells each server's own key
            assertThat(status.at("/verdicts/EQUIVALENT").asInt())
                    .as(said(stage))
                    .isEqualTo(1);
            assertThat(status.at("/verdicts/SAME").asInt()).isGreaterThan(18);
            assertThat(stage.verdicts("SAME").toString())
                    .contains("INSERT INTO item (id, name, price) VALUES ($1, $2, $3)");
        }
    }

    @Test
    void aChangedRow_isFoundByItsRowAndColumn_howeverItIsRead() throws Exception {
        on(debug, "UPDATE item SET price = 7.01 WHERE id = 2");
        try (Stage stage = open(production, debug)) {
            try (Connection client = connect(stage, "prepareThreshold=1&preferQueryMode=extended");
                    PreparedStatement prepared =
                            client.prepareStatement("SELECT id, price FROM item WHERE name <> ? ORDER BY id")) {
                for (int i = 0; i < 3; i++) { // by a name, and in binary, from the second time on
                    prepared.setString(1, "none");
                    prepared.executeQuery().close();
                }
            }
            try (Connection client = connect(stage, "preferQueryMode=simple");
                    Statement statement = client.createStatement()) {
                rows(statement, "SELECT price FROM item WHERE name = 'ink'");
            }
            stage.awaitStatus(
                    "four differences",
                    status -> status.at("/verdicts/DIFFERENT").asInt() == 4);
            assertThat(verdict(stage, "DIFFERENT", "SELECT price FROM item WHERE name = '…'")
                            .at("/differences/0/path")
                            .asText())
                    .isEqualTo("rows[0].price");
            for (JsonNode different : stage.verdicts("DIFFERENT")) {
                JsonNode difference = different.at("/differences/0");
                assertThat(difference.get("path").asText()).matches("rows\\[[01]]\\.price");
                assertThat(difference.get("production").asText()).isEqualTo("7.00");
                assertThat(difference.get("debug").asText()).isEqualTo("7.01");
            }
        }
    }

    @Test
    void anotherOrder_isADifferenceOnlyWhereOneIsAskedFor() throws Exception {
        on(debug, "CREATE TABLE moved AS SELECT * FROM item ORDER BY id DESC");
        on(production, "CREATE TABLE moved AS SELECT * FROM item ORDER BY id");
        try (Stage stage = open(production, debug)) {
            try (Connection client = connect(stage, "");
                    Statement statement = client.createStatement()) {
                rows(statement, "SELECT * FROM moved");
                rows(statement, "SELECT * FROM moved ORDER BY id");
                rows(statement, "SELECT * FROM moved ORDER BY ctid");
            }
            ended(stage);
            assertThat(verdict(stage, "EQUIVALENT", "SELECT * FROM moved").toString())
                    .contains("\"rows\"", "SET_ORDER");
            verdict(stage, "SAME", "SELECT * FROM moved ORDER BY id");
            assertThat(verdict(stage, "DIFFERENT", "SELECT * FROM moved ORDER BY ctid")
                            .toString())
                    .contains("\"ORDER\"");
        }
    }

    @Test
    void errors_areComparedByStateAndMessage() throws Exception {
        on(debug, "ALTER TABLE item RENAME CONSTRAINT item_pkey TO other_key");
        on(debug, "ALTER TABLE item ADD CHECK (price < 100)");
        try (Stage stage = open(production, debug)) {
            try (Connection client = connect(stage, "");
                    Statement statement = client.createStatement()) {
                assertThatThrownBy(() -> statement.execute("SELECT * FROM nowhere"))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> statement.execute("INSERT INTO item VALUES (1)"))
                        .isInstanceOf(SQLException.class);
                statement.execute("INSERT INTO item VALUES (9, 'gold', 1000)");
            }
            ended(stage);
            verdict(stage, "SAME", "SELECT * FROM nowhere");
            assertThat(verdict(stage, "DIFFERENT", "INSERT INTO item VALUES (1)")
                            .at("/differences/0/path")
                            .asText())
                    .isEqualTo("error.message");
            JsonNode refused = verdict(stage, "DIFFERENT", "INSERT INTO item VALUES (9, '…', 1000)");
            assertThat(refused.at("/differences/0/type").asText()).isEqualTo("EXTRA");
            assertThat(refused.at("/differences/0/debug").asText()).startsWith("23514");
        }
    }

    @Test
    void copies_areCompared_inBothDirections() throws Exception {
        try (Stage stage = open(production, debug)) {
            try (Connection client = connect(stage, "")) {
                long copied = client.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY item (id, name) FROM STDIN", new StringReader("7\tcap\n8\tlid\n"));
                assertThat(copied).isEqualTo(2);
                stage.awaitStatus(
                        "the data at both",
                        status -> Stage.total(status) > 0 && said(stage).contains("COPYDATA"));
                on(debug, "UPDATE item SET name = 'top' WHERE id = 8");
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                client.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut("COPY (SELECT id, name FROM item ORDER BY id) TO STDOUT", out);
                assertThat(out.toString(StandardCharsets.UTF_8)).contains("8\tlid");
            }
            ended(stage);
            verdict(stage, "SAME", "COPY item (id, name) FROM STDIN");
            verdict(stage, "SAME", "COPYDATA");
            assertThat(verdict(stage, "DIFFERENT", "COPY (SELECT id, name FROM item ORDER BY id) TO STDOUT")
                            .toString())
                    .contains("8\\tlid", "8\\ttop");
        }
    }

    @Test
    void aProofOfAPassword_staysWithProduction_andADebugServerThatTrusts_answersOn() throws Exception {
        both("DROP ROLE IF EXISTS guarded", "CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '" + PASSWORD + "'");
        try (Stage stage = open(production, debug)) {
            try (Connection client = connect(stage, "user=guarded&password=" + PASSWORD)) {
                assertThat(name(client, 1)).isEqualTo("pen");
            }
            JsonNode status = ended(stage);
            assertThat(status.at("/notCompared/AUTHENTICATION").asInt())
                    .as(said(stage))
                    .isEqualTo(3);
            assertThat(status.get("notCompared")).as(said(stage)).hasSize(1);
            verdict(stage, "SAME", "SELECT name FROM item WHERE id = $1");
            assertThat(said(stage)).doesNotContain(PASSWORD);
        }
    }

    @Test
    void aDebugServerThatWantsAProof_isNamedAsTheReason() throws Exception {
        both("DROP ROLE IF EXISTS guarded", "CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '" + PASSWORD + "'");
        try (Stage stage = open(debug, production)) {
            try (Connection client = connect(stage, "user=guarded&password=" + PASSWORD)) {
                assertThat(name(client, 1)).isEqualTo("pen");
            }
            JsonNode status = ended(stage);
            assertThat(status.at("/notCompared/AUTHENTICATION").asInt())
                    .as(said(stage))
                    .isPositive();
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).as(said(stage)).isZero();
        }
    }

    private static Stage open(EmbeddedPostgres one, EmbeddedPostgres other) throws IOException {
        return Stage.open(
                new InetSocketAddress("127.0.0.1", one.getPort()),
                new InetSocketAddress("127.0.0.1", other.getPort()),
                Stage.WINDOW,
                ListenerConfig.Framing.POSTGRES,
                "");
    }

    private static Connection connect(Stage stage, String properties) throws SQLException {
        String user = properties.contains("user=") ? "" : "&user=postgres";
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + stage.address().getPort() + "/postgres?" + properties + user);
    }

    /** What is known once the client has left and debug is done. */
    private static JsonNode ended(Stage stage) {
        return stage.awaitStatus(
                "the end",
                status -> Stage.total(status) > 0 && status.at("/lanes/open").asInt() == 0);
    }

    private static JsonNode verdict(Stage stage, String kind, String request) {
        for (JsonNode verdict : stage.verdicts(kind)) {
            if (verdict.get("request").asText().equals(request)) {
                return verdict;
            }
        }
        throw new AssertionError("no verdict " + kind + " on " + request + " among " + said(stage));
    }

    private static String said(Stage stage) {
        return stage.verdicts("").toPrettyString();
    }

    private static void insert(Connection client, int id) throws SQLException {
        try (PreparedStatement insert =
                client.prepareStatement("INSERT INTO item (id, name, price) VALUES (?, ?, ?)")) {
            insert.setInt(1, id);
            insert.setString(2, "item " + id);
            insert.setBigDecimal(3, new BigDecimal("3.25"));
            insert.executeUpdate();
        }
    }

    private static String name(Connection client, int id) throws SQLException {
        try (PreparedStatement select = client.prepareStatement("SELECT name FROM item WHERE id = ?")) {
            select.setInt(1, id);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? rows.getString(1) : "";
            }
        }
    }

    private static void rows(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                assertThat(rows.getString(1)).isNotNull();
            }
        }
    }

    private static void both(String... statements) throws SQLException {
        on(production, statements);
        on(debug, statements);
    }

    private static void on(EmbeddedPostgres server, String... statements) throws SQLException {
        try (Connection direct = server.getPostgresDatabase().getConnection();
                Statement statement = direct.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
