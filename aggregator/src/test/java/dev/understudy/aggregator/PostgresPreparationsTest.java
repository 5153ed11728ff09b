package dev.understudy.aggregator;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static dev.understudy.aggregator.PgWire.query;
import static org.assertj.core.api.Assertions.assertThat;

/** Statements that are prepared alone, as libpq does: production's server was asked, and has answered. */
@Tag("process")
class PostgresPreparationsTest extends PgWireStage {
    private static final String ALL = "SELECT * FROM preparations";

    @BeforeEach
    void drop() throws Exception {
        PostgresSides.direct("DROP TABLE IF EXISTS preparations");
    }

    @Test
    void refusedPreparation_isRefusedUntilProductionsSucceeded() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection.send(parse("a", "SELEC 1"), SYNC).ready());
            all.add(connection.send(parse("b", ALL), SYNC).ready());
            all.add(connection.send(parse("b", ALL), SYNC).ready());
            all.add(connection.send(query("CREATE TABLE preparations (a int)")).ready());
            all.add(connection.send(parse("b", ALL), SYNC).ready());
            all.add(connection.send(bind("", "b"), execute("", 0), SYNC).ready());
            all.add(connection.send(bind("", "a"), SYNC).ready());
            return all;
        });

        assertThat(seen).containsExactly("E:42601 Z", "E:42P01 Z", "E:42P01 Z", "C Z", "1 Z", "2 C Z", "E:26000 Z");
    }

    /** The table comes by another way than the connections that are recorded. */
    @Test
    void whatChangedOutside_isSeenInOrder() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            PostgresSides.direct("DROP TABLE IF EXISTS preparations");
            all.add(connection.send(parse("a", ALL), SYNC).ready());
            PostgresSides.direct("CREATE TABLE preparations (a int)");
            all.add(connection.send(parse("b", ALL), SYNC).ready());
            PostgresSides.direct("DROP TABLE preparations");
            all.add(connection.send(parse("c", ALL), SYNC).ready());
            return all;
        });

        assertThat(seen).containsExactly("E:42P01 Z", "1 Z", "E:42P01 Z");
    }

    @Test
    void takenName_isRefused_untilItIsFree() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection.send(parse("s", "SELECT 5"), SYNC).ready());
            all.add(connection.send(parse("s", "SELECT 5"), SYNC).ready());
            all.add(connection
                    .send(parse("s", "SELECT 6"), bind("", "s"), execute("", 0), SYNC)
                    .ready());
            all.add(connection.send(bind("", "s"), execute("", 0), SYNC).ready());
            all.add(connection.send(query("DEALLOCATE s")).ready());
            all.add(connection.send(bind("", "s"), execute("", 0), SYNC).ready());
            all.add(connection
                    .send(parse("s", "SELECT 6"), bind("", "s"), execute("", 0), SYNC)
                    .ready());
            return all;
        });

        assertThat(seen)
                .containsExactly("1 Z", "E:42P05 Z", "E:42P05 Z", "2 D:5 C Z", "C Z", "E:26000 Z", "1 2 D:6 C Z");
    }

    @Test
    void errorOfOneStatement_isNoAnswerToTheNextInItsBatch() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection
                    .send(parse("a", "SELEC 1"), parse("", "SELECT 5"), bind("", ""), execute("", 0), SYNC)
                    .ready());
            all.add(connection
                    .send(parse("", "SELECT 5"), bind("", ""), execute("", 0), SYNC)
                    .ready());
            return all;
        });

        assertThat(seen).containsExactly("E:42601 Z", "1 2 D:5 C Z");
    }

    @Test
    void preparationThatProductionNeverAskedFor_isAMiss() throws Exception {
        List<String> seen = onProduction(connection -> List.of(
                connection.send(query("SELECT 4")).ready(),
                connection.send(query("SELEC 7")).ready()));
        assertThat(seen).containsExactly("T:1 D:4 C Z", "E:42601 Z");
        try (PgWire debug = debug()) {
            assertThat(debug.send(parse("x", "SELECT 4711"), SYNC).ready()).isEqualTo("E:UD001 Z");
            assertThat(debug.send(parse("x", "SELEC 7"), SYNC).ready()).isEqualTo("E:UD001 Z");
            assertThat(debug.send(query("SELECT 4")).ready()).isEqualTo("T:1 D:4 C Z");
        }

        assertThat(status()).contains("\"missed\":2");
        assertThat(misses()).contains("preparing SELECT 4711");
    }
}
