package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SettingsTest {
    private final Settings settings = new Settings();

    @Test
    void plainValue_isFollowed() {
        follow("SET SESSION TimeZone TO 'Europe/Berlin'");
        follow("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ  committed");

        assertThat(settings.get("TIMEZONE")).isEqualTo("Europe/Berlin");
        assertThat(settings.get("transaction_isolation")).isEqualTo("read committed");
        assertThat(settings.style().timeZone()).isEqualTo("Europe/Berlin");
        assertThat(settings.state()).isEqualTo(new PgSessionState("", ""));
    }

    @Test
    void whatDecidesTheMeaningOfNames_isState() {
        settings.start(Map.of("user", "u", "database", "orders", "search_path", "a", "application_name", "x"));
        assertThat(settings.state()).isEqualTo(new PgSessionState("orders", "search_path=a"));

        follow("set search_path = tenant, public;");
        follow("SET app.tenant TO '7'");
        follow("SET ROLE reader");
        assertThat(settings.state().settings()).isEqualTo("app.tenant=7, role=reader, search_path=tenant, public");

        follow("RESET app.tenant");
        follow("SET ROLE DEFAULT");
        follow("RESET search_path");
        assertThat(settings.state().settings()).isEqualTo("search_path=a");
        follow("SET SESSION AUTHORIZATION reader");
        assertThat(settings.state().settings()).isEqualTo("search_path=a, session authorization=reader");
    }

    @Test
    void database_keepsFormsApart() {
        settings.start(Map.of("user", "u", "database", "orders"));
        Form form = form("SELECT 1 FROM a");
        Settings other = new Settings();
        other.start(Map.of("user", "u", "database", "prices"));
        assertThat(PgForms.statement(other.state(), "SELECT 1 FROM a", PgStatementKind.READ))
                .isNotEqualTo(form);
    }

    @Test
    void isolationLevel_isState_unlessItIsTheUsualOne() {
        String level = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL ";
        Form usual = form("SELECT 1 FROM a");
        Form lasting = form("SHOW server_version");
        follow(level + "SERIALIZABLE");
        assertThat(settings.state()).isEqualTo(new PgSessionState("", "", "transaction_isolation=serializable"));
        assertThat(form("SELECT 1 FROM a")).isNotEqualTo(usual);
        assertThat(form("SELECT 1 FROM a").text()).contains("transaction_isolation=serializable");
        assertThat(form("SHOW server_version")).isEqualTo(lasting);
        follow(level + "READ COMMITTED");
        assertThat(form("SELECT 1 FROM a")).isEqualTo(usual);
    }

    @Test
    void modesOfOneTransaction_endWithIt() {
        Form plain = form("SELECT 1 FROM a");
        for (String end : List.of("COMMIT", "ROLLBACK")) {
            follow("START TRANSACTION /* now */ ISOLATION LEVEL repeatable read, READ ONLY");
            assertThat(settings.state().transaction())
                    .isEqualTo("transaction_isolation=repeatable read, transaction_read_only=on, in a transaction");
            assertThat(form("SELECT 1 FROM a")).isNotEqualTo(plain);
            follow(end + " AND CHAIN");
            assertThat(form("SELECT 1 FROM a")).as("one like it").isNotEqualTo(plain);
            follow(end);
            assertThat(form("SELECT 1 FROM a")).isEqualTo(plain);
        }
        follow("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        follow("BEGIN");
        assertThat(settings.state().transaction()).as("set outside a block").isEqualTo("in a transaction");
        assertThat(form("SELECT 1 FROM a")).isNotEqualTo(plain);
        follow("SET TRANSACTION SNAPSHOT '00000003-0000001B-1'");
        assertThat(settings.state().transaction()).contains("00000003-0000001B-1");
    }

    @Test
    void modesOfASession_areThoseItsTransactionsBeginWith() {
        follow("BEGIN");
        follow("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE");
        assertThat(settings.state())
                .as("of the open transaction")
                .isEqualTo(new PgSessionState("", "", "in a transaction"));
        follow("COMMIT");
        PgSessionState serializable = settings.state();
        assertThat(serializable.transaction()).contains("serializable", "read_only=on", "deferrable=on");
        follow("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE NOT DEFERRABLE");
        assertThat(settings.state()).isEqualTo(new PgSessionState("", "", "in a transaction"));
        follow("ROLLBACK");
        assertThat(settings.state()).isEqualTo(serializable);
        follow("RESET ALL");
        assertThat(settings.state()).isEqualTo(new PgSessionState("", ""));
    }

    @Test
    void rollbackToASavepoint_undoesWhatWasSetSince() {
        follow("BEGIN");
        follow("SET app.a = 1");
        follow("SAVEPOINT s");
        follow("SET app.a = 2");
        follow("SAVEPOINT other");
        follow("SET LOCAL app.b = 3");
        follow("ROLLBACK TO SAVEPOINT s");
        assertThat(settings.state().settings()).isEqualTo("app.a=1");
        follow("SET app.a = 4");
        follow("RELEASE s");
        follow("ROLLBACK TO s");
        follow("COMMIT");
        assertThat(settings.state().settings()).isEqualTo("app.a=4");
    }

    @Test
    void localSetting_comesAfterWhatTheSessionSets() {
        follow("BEGIN");
        follow("SET app.a = 1");
        follow("SET LOCAL app.a = 2");
        assertThat(settings.state().settings()).isEqualTo("app.a=2");
        follow("COMMIT");
        assertThat(settings.state().settings()).isEqualTo("app.a=1");
    }

    private Form form(String sql) {
        return PgForms.statement(settings.state(), sql, PgStatementKind.of(sql));
    }

    @Test
    void rollback_undoesSettings() {
        follow("SET app.tenant = 1");
        settings.begin();
        follow("SET app.tenant = 2");
        follow("SET app.other = 3");
        settings.end(false);

        assertThat(settings.state().settings()).isEqualTo("app.tenant=1");
    }

    @Test
    void commit_undoesLocalSettingsOnly() {
        follow("SET app.a = 1");
        settings.begin();
        follow("SET LOCAL app.a = 2");
        follow("SET app.b = 3");
        assertThat(settings.state().settings()).isEqualTo("app.a=2, app.b=3");
        settings.end(true);

        assertThat(settings.state().settings()).isEqualTo("app.a=1, app.b=3");
    }

    @Test
    void localSettingOutsideABlock_hasNoEffect() {
        follow("SET LOCAL app.a = 2");

        assertThat(settings.state().settings()).isEmpty();
    }

    @Test
    void setConfig_countsWithItsValue() {
        String sql = "SELECT set_config('app.tenant', $1, false)";
        settings.follow(PgStatementKind.READ, sql, List.of(new Parameter(1043, false, new byte[] {'1'})));
        PgSessionState one = settings.state();
        settings.follow(PgStatementKind.READ, sql, List.of(new Parameter(1043, false, new byte[] {'2'})));

        assertThat(settings.state()).isNotEqualTo(one);
        settings.follow(PgStatementKind.READ, sql, List.of(new Parameter(0, false, new byte[] {'1'})));
        assertThat(settings.state()).isEqualTo(one);
    }

    @Test
    void discard_bringsTheStartBack() {
        settings.start(Map.of("user", "u"));
        follow("SET search_path = x");
        settings.follow(PgStatementKind.DISCARD, "DISCARD ALL", List.of());

        assertThat(settings.state()).isEqualTo(new PgSessionState("u", ""));
    }

    private void follow(String sql) {
        settings.follow(PgStatementKind.of(sql), sql, List.of());
    }
}
