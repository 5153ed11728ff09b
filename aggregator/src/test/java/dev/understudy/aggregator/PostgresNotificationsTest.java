package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the server says unasked, with the real driver. */
@Tag("process")
class PostgresNotificationsTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void notifications_arriveWhileNothingIsAsked() throws Exception {
        try (Connection production = sides.production("");
                Connection debug = sides.debug("")) {
            execute(production, "LISTEN jobs", "LISTEN \"Odd One\"");
            execute(debug, "LISTEN jobs", "LISTEN \"Odd One\"");
            CompletableFuture<List<String>> heard = CompletableFuture.supplyAsync(() -> heard(debug, 2));

            PostgresSides.direct("NOTIFY jobs, 'one'", "NOTIFY other, 'unheard'", "NOTIFY \"Odd One\"");

            assertThat(heard(production, 2)).containsExactly("jobs=one", "Odd One=");
            assertThat(heard.get(60, TimeUnit.SECONDS)).containsExactly("jobs=one", "Odd One=");
            execute(production, "UNLISTEN jobs");
            execute(debug, "UNLISTEN jobs");
            PostgresSides.direct("NOTIFY jobs, 'late'", "NOTIFY \"Odd One\", 'last'");
            assertThat(heard(debug, 1)).containsExactly("Odd One=last");
        }
    }

    @Test
    void notificationsThatComeAtOnce_comeInTheirOrder() throws Exception {
        try (Connection production = sides.production("");
                Connection debug = sides.debug("")) {
            execute(production, "LISTEN a", "LISTEN b", "LISTEN c");
            execute(debug, "LISTEN a", "LISTEN b", "LISTEN c");

            PostgresSides.direct("BEGIN; NOTIFY c, '1'; NOTIFY a, '2'; NOTIFY b, '3'; NOTIFY a, '4'; COMMIT");

            assertThat(heard(production, 4)).containsExactly("c=1", "a=2", "b=3", "a=4");
            assertThat(heard(debug, 4)).containsExactly("c=1", "a=2", "b=3", "a=4");
        }
    }

    @Test
    void notification_precedesTheEndOfTheAnswerThatItPrecededInProduction() throws Exception {
        List<String> seen = sides.sameOnBothSides("", "", connection -> {
            execute(connection, "LISTEN own", "SELECT 2", "NOTIFY own, 'self'");
            PGNotification[] there = connection.unwrap(PGConnection.class).getNotifications();
            boolean self =
                    there[0].getPID() == connection.unwrap(PGConnection.class).getBackendPID();
            return List.of(there.length + there[0].getParameter() + self);
        });
        assertThat(seen).containsExactly("1selftrue");
    }

    @Test
    void listening_beginsWithItsTransactionsCommit() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            connection.setAutoCommit(false);
            execute(connection, "LISTEN never");
            connection.rollback();
            execute(connection, "LISTEN always");
            connection.commit();
            connection.setAutoCommit(true);
            execute(connection, "NOTIFY never, 'no'", "NOTIFY always, 'yes'");
            return heard(connection, 1);
        });
    }

    @Test
    void sessionThatComesInThePlaceOfAnother_hearsWhatFollows() throws Exception {
        try (Connection production = sides.production("")) {
            execute(production, "LISTEN jobs");
            try (Connection debug = sides.debug("")) {
                execute(debug, "LISTEN jobs");
                PostgresSides.direct("NOTIFY jobs, 'one'");
                assertThat(heard(debug, 1)).containsExactly("jobs=one");
            }
            try (Connection debug = sides.debug("")) {
                execute(debug, "LISTEN jobs");
                PostgresSides.direct("NOTIFY jobs, 'two'");
                assertThat(heard(debug, 1)).containsExactly("jobs=two");
            }
        }
    }

    @Test
    void cancelRequest_endsAWait_ifItKnowsTheSecret() throws Exception {
        try (PostgresSides patient = greeted("wait: 1m");
                Connection debug = patient.debug("");
                Statement statement = debug.createStatement()) {
            long before = requests(patient);
            CompletableFuture<Void> cancelled = CompletableFuture.runAsync(() -> {
                awaitMore(patient, before);
                cancel(statement);
            });
            assertThatThrownBy(() -> statement.execute("SELECT 'never asked in production'"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("canceling statement due to user request");
            cancelled.get(60, TimeUnit.SECONDS);
        }
    }

    /** Production was there once, so that the debug side is greeted at once. */
    private static PostgresSides greeted(String settings) throws Exception {
        PostgresSides sides = new PostgresSides(settings);
        sides.production("").close();
        return sides;
    }

    private static long requests(PostgresSides sides) {
        return AggregatorProcess.number(TestAggregator.status(sides.aggregator), "requests");
    }

    private static void awaitMore(PostgresSides sides, long before) {
        try {
            Eventually.await(() -> requests(sides) > before);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                if (statement.execute(sql)) {
                    try (ResultSet rows = statement.getResultSet()) {
                        assertThat(rows.next()).isTrue();
                    }
                }
            }
        }
    }

    /** So many notifications, waited for. */
    private static List<String> heard(Connection connection, int count) {
        List<String> heard = new ArrayList<>();
        try {
            PGConnection postgres = connection.unwrap(PGConnection.class);
            for (int i = 0; heard.size() < count && i < 300; i++) {
                PGNotification[] some = postgres.getNotifications(200);
                for (PGNotification each : some == null ? new PGNotification[0] : some) {
                    heard.add(each.getName() + "=" + each.getParameter());
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return heard;
    }
}
