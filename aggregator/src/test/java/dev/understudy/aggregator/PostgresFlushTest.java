package dev.understudy.aggregator;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.FLUSH;
import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.describe;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static org.assertj.core.api.Assertions.assertThat;

/** Drivers that end a batch with Flush, and send Sync once they have its answer or its error (R2DBC, asyncpg). */
@Tag("process")
class PostgresFlushTest extends PgWireStage {
    @Test
    void errorOfALaterFetch_comesBeforeSync() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection
                    .send(
                            parse("", "SELECT 10/(2-g) FROM generate_series(1,4) g"),
                            bind("B1", ""),
                            describe('P', "B1"),
                            execute("B1", 1),
                            FLUSH)
                    .until('s'));
            all.add(connection.send(execute("B1", 1), FLUSH).until('E'));
            all.add(connection.send(SYNC).ready());
            return all;
        });

        assertThat(seen).containsExactly("1 2 T:1 D:10 s", "E:22012", "Z");
    }

    @Test
    void errorOfAPreparation_comesBeforeSync_andNothingIsConfirmedBeforeIt() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection
                    .send(parse("x", "SELEC 1"), describe('S', "x"), FLUSH)
                    .until('E'));
            all.add(connection.send(SYNC).ready());
            all.add(connection.send(parse("y", "SELEC 2"), FLUSH).until('E'));
            all.add(connection.send(SYNC).ready());
            all.add(connection.send(parse("z", "SELECT 3"), FLUSH).until('1'));
            all.add(connection.send(SYNC).ready());
            return all;
        });

        assertThat(seen).containsExactly("E:42601", "Z", "E:42601", "Z", "1", "Z");
    }

    /** The server sends errors as they come; a driver may wait for one without having asked for that. */
    @Test
    void errorWithoutFlush_comesAtOnce() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection
                    .send(parse("", "SELECT 1/0"), bind("", ""), execute("", 0))
                    .until('E'));
            all.add(connection.send(FLUSH, SYNC).ready());
            return all;
        });

        assertThat(seen).containsExactly("1 E:22012", "Z");
    }

    @Test
    void miss_comesBeforeSync() throws Exception {
        onProduction(connection -> List.of(connection.send(SYNC).ready()));
        try (PgWire debug = debug()) {
            debug.send(parse("", "SELECT 4711"), bind("B1", ""), describe('P', "B1"), execute("B1", 5), FLUSH);
            assertThat(debug.until('E')).endsWith("E:UD001");
            assertThat(debug.send(SYNC).ready()).isEqualTo("Z");
        }
        assertThat(status()).contains("\"missed\":1");
    }
}
