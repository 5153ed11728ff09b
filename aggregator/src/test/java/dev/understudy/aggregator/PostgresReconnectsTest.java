package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Sessions that listen one after another, and sessions that the server ends, with the real driver and server. */
@Tag("process")
class PostgresReconnectsTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 1s");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void nthSession_hearsWhatProductionsNthHeard() throws Exception {
        for (int i = 1; i <= 3; i++) {
            try (Connection production = sides.production("")) {
                execute(production, "LISTEN jobs");
                PostgresSides.direct("NOTIFY jobs, '" + i + "'");
                assertThat(heard(production)).isEqualTo("" + i);
            }
        }
        sides.awaitRecorded();
        for (int i = 1; i <= 3; i++) {
            try (Connection debug = sides.debug("")) {
                execute(debug, "LISTEN jobs");
                assertThat(heard(debug)).as("session %d", i).isEqualTo("" + i);
            }
        }
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
    }

    @Test
    void sessionThatListensAnew_hearsTheSecondTimeWhatProductionHeardThen() throws Exception {
        try (Connection production = sides.production("")) {
            for (int i = 1; i <= 2; i++) {
                execute(production, "LISTEN jobs");
                PostgresSides.direct("NOTIFY jobs, '" + i + "'");
                assertThat(heard(production)).isEqualTo("" + i);
                execute(production, "UNLISTEN jobs");
            }
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug("")) {
            for (int i = 1; i <= 2; i++) {
                execute(debug, "LISTEN jobs");
                assertThat(heard(debug)).as("time %d", i).isEqualTo("" + i);
                execute(debug, "UNLISTEN jobs");
            }
        }
    }

    @Test
    void sessionThatAnAdministratorEnds_endsInDebugTooAndComesBack() throws Exception {
        try (Connection production = sides.production("");
                Connection debug = sides.debug("")) {
            execute(production, "LISTEN jobs");
            execute(debug, "LISTEN jobs");
            PostgresSides.direct("NOTIFY jobs, 'before'");
            assertThat(heard(production)).isEqualTo("before");
            assertThat(heard(debug)).isEqualTo("before");
            PostgresSides.direct("SELECT pg_terminate_backend("
                    + production.unwrap(PGConnection.class).getBackendPID() + ")");

            for (Connection ended : List.of(production, debug)) {
                assertThatThrownBy(() -> heard(ended)).hasMessageContaining("terminating connection due to admin");
            }
        }
        try (Connection production = sides.production("")) {
            execute(production, "LISTEN jobs");
            PostgresSides.direct("NOTIFY jobs, 'after'");
            assertThat(heard(production)).isEqualTo("after");
            try (Connection debug = sides.debug("")) {
                execute(debug, "LISTEN jobs");
                assertThat(heard(debug)).isEqualTo("after");
            }
        }
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"unframed\":{}", "\"missed\":0");
    }

    @Test
    void sessionThatProductionNeverHad_isAMiss() throws Exception {
        sides.production("").close();
        sides.awaitRecorded();
        try (Connection debug = sides.debug("")) {
            execute(debug, "LISTEN nowhere");
            Eventually.await(() -> TestAggregator.status(sides.aggregator).contains("\"missed\":1"));
        }
        assertThat(TestAggregator.get(sides.aggregator, "/v1/misses")).contains("LISTEN nowhere", "hasn't listened");
    }

    @Test
    void idleSessionThatTheServerEnds_endsInOrder() throws Exception {
        try (Connection production = sides.production("")) {
            execute(production, "SET idle_session_timeout = '100ms'");
            Eventually.await(() -> PostgresSides.directNumber(
                            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SET idle_session%'")
                    == 0);
        }
        sides.awaitRecorded();
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"unframed\":{}");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The next notifications, waited for. */
    private static String heard(Connection connection) throws SQLException {
        List<String> heard = new ArrayList<>();
        PGConnection postgres = connection.unwrap(PGConnection.class);
        for (int i = 0; heard.isEmpty() && i < 100; i++) {
            PGNotification[] some = postgres.getNotifications(100);
            for (PGNotification each : some == null ? new PGNotification[0] : some) {
                heard.add(each.getParameter());
            }
        }
        return String.join(" ", heard);
    }
}
