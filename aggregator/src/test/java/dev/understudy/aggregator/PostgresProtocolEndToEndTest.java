package dev.understudy.aggregator;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

import static dev.understudy.aggregator.PostgresSides.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The less travelled parts of the protocol, with the real driver and with psql. */
@Tag("process")
class PostgresProtocolEndToEndTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
        PostgresSides.direct("DROP TABLE IF EXISTS notes", "CREATE TABLE notes (id int PRIMARY KEY, note text)");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void scripts_areAnsweredAsAWhole() throws Exception {
        String simple = "preferQueryMode=simple";
        sides.sameOnBothSides(simple, simple, connection -> {
            List<String> seen = new ArrayList<>();
            try (Statement statement = connection.createStatement()) {
                boolean rows = statement.execute(
                        "INSERT INTO notes VALUES (1, 'a;b'); SELECT * FROM notes; UPDATE notes SET note = 'c'");
                while (rows || statement.getUpdateCount() != -1) {
                    seen.addAll(rows ? rows(statement.getResultSet()) : List.of("" + statement.getUpdateCount()));
                    rows = statement.getMoreResults();
                }
            }
            return seen;
        });
    }

    @Test
    void call_givesItsResult() throws Exception {
        PostgresSides.direct(
                "CREATE OR REPLACE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT 2 * $1'",
                "CREATE OR REPLACE PROCEDURE note(int, text) LANGUAGE sql AS 'INSERT INTO notes VALUES ($1, $2)'");
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            try (CallableStatement call = connection.prepareCall("{? = call twice(?)}")) {
                call.registerOutParameter(1, Types.INTEGER);
                call.setInt(2, 21);
                call.execute();
                seen.add("" + call.getInt(1));
            }
            try (CallableStatement call = connection.prepareCall("call note(?, ?)")) {
                call.setInt(1, 3);
                call.setString(2, "x");
                seen.add("" + call.execute());
            }
            return seen;
        });
    }

    @Test
    void notices_comeBack() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("DO $$ BEGIN RAISE NOTICE 'one; %', 1; RAISE WARNING 'two'; END $$");
                return List.of(
                        statement.getWarnings().toString(),
                        statement.getWarnings().getNextWarning().toString());
            }
        });
    }

    @Test
    void largeObject_isReadByFunctionCalls() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            connection.setAutoCommit(false);
            LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
            long id = objects.createLO();
            try (LargeObject object = objects.open(id, LargeObjectManager.READWRITE)) {
                object.write(new byte[] {1, 2, 3});
                object.seek(1);
                return List.of("" + id, "" + object.read(5).length, "" + object.tell());
            } finally {
                connection.commit();
            }
        });
    }

    @Test
    void debugSideFirst_waitsForProduction() throws Exception {
        try (Connection production = sides.production("")) {
            CompletableFuture<List<String>> early = CompletableFuture.supplyAsync(() -> {
                try (Connection debug = sides.debug("")) {
                    return count(debug);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Eventually.await(() -> number("requests") - number("local") == 1);
            assertThat(early).isNotDone();
            count(production);
            assertThat(early.get(60, TimeUnit.SECONDS)).containsExactly("count=0 ");
        }
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"waited\":1");
    }

    @Test
    void queryTimeout_cancelsTheWait() throws Exception {
        try (PostgresSides patient = new PostgresSides("wait: 60s");
                Connection production = patient.production("");
                Connection debug = patient.debug("");
                Statement statement = debug.createStatement()) {
            assertThat(production.isValid(60)).isTrue();
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery("SELECT never FROM recorded"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            assertThat(debug.isValid(60)).isTrue();
        }
    }

    @Test
    void sessionLocalStatements_useUpNothing() throws Exception {
        try (Connection production = sides.production("")) {
            count(production);
        }
        try (Connection debug = sides.debug("ApplicationName=understudied");
                Statement statement = debug.createStatement()) {
            for (int i = 0; i < 3; i++) {
                assertThat(debug.isValid(60)).isTrue();
                assertThat(rows(statement.executeQuery("SELECT 1"))).containsExactly("?column?=1 ");
            }
            statement.execute("SET TIME ZONE 'Asia/Tokyo'");
            assertThat(rows(statement.executeQuery("SHOW TimeZone"))).containsExactly("TimeZone=Asia/Tokyo ");
            assertThat(rows(statement.executeQuery("SHOW application_name")))
                    .containsExactly("application_name=understudied ");
            statement.execute("DISCARD ALL");
            assertThat(count(debug)).containsExactly("count=0 ");
        }
        assertThat(TestAggregator.status(sides.aggregator))
                .contains("\"replayed\":1,")
                .contains("\"missed\":0");
    }

    @Test
    void sessionState_keepsAnswersApart() throws Exception {
        PostgresSides.direct(
                "DROP SCHEMA IF EXISTS one CASCADE",
                "DROP SCHEMA IF EXISTS two CASCADE",
                "CREATE SCHEMA one CREATE TABLE tenant (name text)",
                "CREATE SCHEMA two CREATE TABLE tenant (name text)",
                "INSERT INTO one.tenant VALUES ('one')",
                "INSERT INTO two.tenant VALUES ('two')");
        String select = "SELECT name, current_setting('app.user') AS u FROM tenant";
        try (Connection production = sides.production("");
                Statement statement = production.createStatement()) {
            for (String schema : List.of("one", "two", "one")) {
                production.setSchema(schema);
                statement.execute("SELECT set_config('app.user', '" + schema + "', false)");
                assertThat(rows(statement.executeQuery(select)))
                        .containsExactly("name=" + schema + " u=" + schema + " ");
            }
        }
        for (String schema : List.of("two", "one", "one")) {
            try (Connection debug = sides.debug("");
                    Statement statement = debug.createStatement()) {
                debug.setSchema(schema);
                statement.execute("SELECT set_config('app.user', '" + schema + "', false)");
                assertThat(rows(statement.executeQuery(select)))
                        .containsExactly("name=" + schema + " u=" + schema + " ");
            }
        }
    }

    @Test
    void catalogueReads_areAnsweredAnyNumberOfTimes() throws Exception {
        try (Connection production = sides.production("")) {
            assertThat(columns(production)).hasSize(2);
        }
        for (int i = 0; i < 3; i++) {
            try (Connection debug = sides.debug("")) {
                assertThat(columns(debug)).containsExactly("id", "note");
            }
        }
    }

    @Test
    void binaryOfAnUnknownType_isMissedRatherThanGuessed() throws Exception {
        String sql = "SELECT '192.168.0.1'::inet AS a, 2::int4 AS b";
        try (Connection production = sides.production("prepareThreshold=1");
                PreparedStatement select = production.prepareStatement(sql)) {
            assertThat(rows(select.executeQuery())).hasSize(1);
        }
        try (Connection debug = sides.debug("prepareThreshold=0");
                PreparedStatement select = debug.prepareStatement(sql)) {
            assertThat(rows(select.executeQuery())).hasSize(1);
        }
    }

    @Test
    void psql_getsARecordedAnswer() throws Exception {
        assumeTrue(new File("/usr/bin/psql").exists(), "psql is installed");
        PostgresSides.direct("INSERT INTO notes VALUES (1, 'one')");
        try (Connection production = sides.production("")) {
            try (PreparedStatement select = production.prepareStatement("SELECT id, note FROM notes ORDER BY id")) {
                select.executeQuery();
            }
        }
        String url = "postgresql://somebody@127.0.0.1:" + sides.debugPort() + "/postgres";
        Process psql = new ProcessBuilder("psql", url, "-At", "-c", "SELECT id, note FROM notes ORDER BY id;")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(psql.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("1|one\n");
        assertThat(psql.waitFor()).isZero();
    }

    private long number(String key) {
        Matcher match = Pattern.compile('"' + key + "\":(\\d+)").matcher(TestAggregator.status(sides.aggregator));
        return match.find() ? Long.parseLong(match.group(1)) : -1;
    }

    private static List<String> count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM notes")) {
            return rows(rows);
        }
    }

    private static List<String> columns(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = connection.getMetaData().getColumns(null, null, "notes", null)) {
            while (rows.next()) {
                names.add(rows.getString("COLUMN_NAME"));
            }
        }
        return names;
    }
}
