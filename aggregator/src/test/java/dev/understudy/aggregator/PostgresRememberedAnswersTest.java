package dev.understudy.aggregator;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static dev.understudy.aggregator.PgWire.query;
import static org.assertj.core.api.Assertions.assertThat;

/** Answers that use up nothing, and are as production's server gave them at that time. */
@Tag("process")
class PostgresRememberedAnswersTest extends PgWireStage {
    /** A session that sends these statements, one after another. */
    private static Work session(String... statements) {
        return connection -> {
            List<String> seen = new ArrayList<>();
            for (String statement : statements) {
                seen.add(connection.send(query(statement)).ready());
            }
            return seen;
        };
    }

    @Test
    void catalogue_isAsItWasThen() throws Exception {
        String indexes = "SELECT count(*) FROM pg_catalog.pg_indexes WHERE tablename = 'remembered'";
        PostgresSides.direct("DROP TABLE IF EXISTS remembered", "CREATE TABLE remembered (a int)");
        List<String> seen = sameInSessions(List.of(
                session(indexes, "CREATE INDEX one ON remembered (a)", indexes),
                session(indexes, "DROP INDEX one", indexes, indexes, "DROP TABLE remembered")));

        assertThat(seen)
                .containsExactly(
                        "T:1 D:0 C Z", "C Z", "T:1 D:1 C Z", "T:1 D:1 C Z", "C Z", "T:1 D:0 C Z", "T:1 D:0 C Z", "C Z");
    }

    @Test
    void setting_isThatOfItsSession() throws Exception {
        String show = "SHOW vacuum_cost_limit";
        try {
            List<String> seen = sameInSessions(List.of(
                    session(show, "ALTER DATABASE postgres SET vacuum_cost_limit = 301", show),
                    session(show, "ALTER DATABASE postgres SET vacuum_cost_limit = 302"),
                    session(show)));
            assertThat(seen)
                    .containsExactly("T:1 D:200 C Z", "C Z", "T:1 D:200 C Z", "T:1 D:301 C Z", "C Z", "T:1 D:302 C Z");
        } finally {
            PostgresSides.direct("ALTER DATABASE postgres RESET vacuum_cost_limit");
        }
    }

    @Test
    void setThatWasRefused_isRefusedUntilItWasTaken() throws Exception {
        PostgresSides.direct("DROP ROLE IF EXISTS remembered_role");
        List<String> seen = sameOnBothSides(session(
                "SET ROLE remembered_role",
                "CREATE ROLE remembered_role",
                "SET ROLE remembered_role",
                "RESET ROLE",
                "DROP ROLE remembered_role",
                "SET ROLE remembered_role"));

        assertThat(seen).containsExactly("E:22023 Z", "C Z", "C Z", "C Z", "C Z", "E:22023 Z");
    }

    @Test
    void statementsOfTheSession_areRefusedAsInProduction() throws Exception {
        List<String> seen = sameOnBothSides(session(
                "BEGIN NONSENSE",
                "RESET remembered_nonsense",
                "DEALLOCATE missing",
                "DISCARD NONSENSE",
                "LISTEN 1",
                "BEGIN",
                "DISCARD ALL",
                "ROLLBACK",
                "DISCARD ALL",
                "SELECT 5"));

        assertThat(seen)
                .containsExactly(
                        "E:42601 Z",
                        "E:42704 Z",
                        "E:26000 Z",
                        "E:42601 Z",
                        "E:42601 Z",
                        "C Z",
                        "E:25001 Z",
                        "C Z",
                        "C Z",
                        "T:1 D:5 C Z");
    }

    @Test
    void catalogueQuery_thatIsReadInPart_isRemembered() throws Exception {
        String names = "SELECT relname FROM pg_catalog.pg_class WHERE relname LIKE 'pg_class%' ORDER BY 1";
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            for (int rows : new int[] {1, 2, 0, 1}) {
                all.add(connection
                        .send(parse("", names), bind("", ""), execute("", rows), SYNC)
                        .ready());
            }
            return all;
        });

        assertThat(seen)
                .containsExactly(
                        "1 2 D:pg_class s Z",
                        "1 2 D:pg_class D:pg_class_oid_index s Z",
                        "1 2 D:pg_class D:pg_class_oid_index D:pg_class_relname_nsp_index"
                                + " D:pg_class_tblspc_relfilenode_index C Z",
                        "1 2 D:pg_class s Z");
    }

    @Test
    void catalogueQuery_isRefusedUntilItIsAnswered() throws Exception {
        String regular = "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = 'remembered_late'::regclass";
        PostgresSides.direct("DROP TABLE IF EXISTS remembered_late");
        List<String> seen = sameOnBothSides(session(
                regular, "CREATE TABLE remembered_late (a int)", regular, "DROP TABLE remembered_late", regular));

        assertThat(seen).containsExactly("E:42P01 Z", "C Z", "T:1 D:1 C Z", "C Z", "E:42P01 Z");
    }

    @Test
    void catalogueQuery_withAWrongName_isRefused() throws Exception {
        assertThat(sameOnBothSides(session("SELECT nothing FROM pg_catalog.pg_class")))
                .containsExactly("E:42703 Z");
    }

    @Test
    void catalogueQuery_thatIsNeverReadToItsEnd_isRemembered() throws Exception {
        String names = "SELECT relname FROM pg_catalog.pg_class WHERE relname LIKE 'pg_attr%' ORDER BY 1";
        List<String> seen = sameOnBothSides(connection -> List.of(connection
                .send(parse("", names), bind("", ""), execute("", 1), SYNC)
                .ready()));

        assertThat(seen).containsExactly("1 2 D:pg_attrdef s Z");
    }
}
