package dev.understudy.aggregator;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Faults on purpose as the PostgreSQL driver meets them. */
@Tag("process")
class PostgresFaultsTest {
    @Test
    void errors_haveTheirSqlStateAndUseUpNothing() throws Exception {
        try (PostgresSides sides = new PostgresSides("wait: 30s");
                Connection production = sides.production("");
                Connection debug = sides.debug("")) {
            assertThat(answer(production)).isEqualTo(42);
            production.setAutoCommit(false);
            assertThat(answer(production)).isEqualTo(42);
            production.commit();
            set(sides, "clash", "upstream: test\nfault: error\ncode: '40001'\nform: 'SELECT 40*'");

            assertThatThrownBy(() -> answer(debug))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"))
                    .hasMessageContaining("injected by understudy (clash)");

            set(sides, "clash", "upstream: test\nfault: error\ncode: '40001'\nform: COMMIT*");
            debug.setAutoCommit(false);
            assertThat(answer(debug)).isEqualTo(42);
            assertThatThrownBy(debug::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
    }

    @Test
    void connect_canBeRefused() throws Exception {
        try (PostgresSides sides = new PostgresSides("wait: 100ms")) {
            set(sides, "full", "upstream: test\nfault: error\ncode: '53300'\nmessage: too many connections");
            assertThatThrownBy(() -> sides.debug("").close())
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53300"))
                    .hasMessageContaining("too many connections");
            set(sides, "full", "upstream: test\nfault: reset\npercent: 100");
            assertThatThrownBy(() -> sides.debug("").close()).isInstanceOf(SQLException.class);
            try (Connection production = sides.production("")) {
                assertThat(answer(production)).isEqualTo(42);
            }
        }
    }

    private static int answer(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 40 + 2")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void set(PostgresSides sides, String name, String rule) throws Exception {
        int port = sides.aggregator.controlAddress().getPort();
        var reply = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/faults/" + name))
                                .header("Content-Type", "application/json")
                                .PUT(BodyPublishers.ofString(rule))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }
}
