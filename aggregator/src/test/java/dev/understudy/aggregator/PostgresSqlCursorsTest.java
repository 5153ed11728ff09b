package dev.understudy.aggregator;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.describe;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static dev.understudy.aggregator.PgWire.query;
import static org.assertj.core.api.Assertions.assertThat;

/** What SQL declared or prepared, and the protocol then names; psycopg's named cursors do this for every query. */
@Tag("process")
class PostgresSqlCursorsTest extends PgWireStage {
    private static String describedCursor(PgWire connection) throws Exception {
        return connection.send(describe('P', "c1"), SYNC).ready();
    }

    @Test
    void cursor_isDescribedAsInProduction() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection.send(query("BEGIN")).ready());
            all.add(connection
                    .send(query("DECLARE c1 CURSOR FOR SELECT generate_series(1,5) AS g"))
                    .ready());
            all.add(describedCursor(connection));
            all.add(connection.send(query("FETCH 3 FROM c1")).ready());
            all.add(connection.send(query("COMMIT")).ready());
            return all;
        });

        assertThat(seen).containsExactly("C Z", "C Z", "T:1 Z", "T:1 D:1 D:2 D:3 C Z", "C Z");
    }

    /** One name for cursors of other columns: each is described by what its own transaction opened. */
    @Test
    void cursorsOfOneName_areKeptApart() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            for (String sql : List.of("SELECT 1, 2", "SELECT 3", "SELECT 4, 5, 6")) {
                connection.send(query("BEGIN")).ready();
                all.add(connection
                        .send(
                                parse("", "DECLARE c1 CURSOR FOR " + sql),
                                bind("", ""),
                                execute("", 0),
                                describe('P', "c1"),
                                SYNC)
                        .ready());
                all.add(connection.send(query("FETCH ALL FROM c1")).ready());
                connection.send(query("COMMIT")).ready();
            }
            return all;
        });

        assertThat(seen)
                .containsExactly(
                        "1 2 C T:2 Z", "T:2 D:1,2 C Z", "1 2 C T:1 Z", "T:1 D:3 C Z", "1 2 C T:3 Z", "T:3 D:4,5,6 C Z");
    }

    @Test
    void portalThatProductionDidNotHave_isRefusedInItsWords() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            connection.send(query("BEGIN")).ready();
            all.add(describedCursor(connection));
            connection.send(query("ROLLBACK")).ready();
            connection.send(query("BEGIN")).ready();
            all.add(connection.send(execute("c1", 0), SYNC).ready());
            connection.send(query("ROLLBACK")).ready();
            all.add(connection.send(query("SELECT 5")).ready());
            return all;
        });

        assertThat(seen).containsExactly("E:34000 Z", "E:34000 Z", "T:1 D:5 C Z");
    }

    @Test
    void cursorThatProductionNeverDescribed_isAMiss() throws Exception {
        onProduction(connection -> {
            connection.send(query("BEGIN")).ready();
            connection.send(query("DECLARE c1 CURSOR FOR SELECT 5")).ready();
            return List.of(connection.send(query("COMMIT")).ready());
        });
        try (PgWire debug = debug()) {
            debug.send(query("BEGIN")).ready();
            debug.send(query("DECLARE c1 CURSOR FOR SELECT 5")).ready();
            assertThat(describedCursor(debug)).isEqualTo("E:UD001 Z");
        }

        assertThat(status()).contains("\"missed\":1");
        assertThat(misses()).contains("describing the portal c1");
    }

    @Test
    void statementThatSqlPrepared_isAMissAndNoInventedError() throws Exception {
        Work work = connection -> List.of(
                connection.send(query("PREPARE s1 AS SELECT 5")).ready(),
                connection.send(bind("", "s1"), execute("", 0), SYNC).ready(),
                connection.send(describe('S', "s1"), SYNC).ready());
        assertThat(onProduction(work)).containsExactly("C Z", "2 D:5 C Z", "t T:1 Z");
        try (PgWire debug = debug()) {
            assertThat(work.on(debug)).containsExactly("C Z", "E:UD001 Z", "E:UD001 Z");
        }

        assertThat(status()).contains("\"missed\":2");
        assertThat(misses()).contains("the statement that SQL prepared as s1");
    }
}
