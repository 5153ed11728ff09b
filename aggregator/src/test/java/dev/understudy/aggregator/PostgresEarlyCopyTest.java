package dev.understudy.aggregator;

import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.copyDone;
import static dev.understudy.aggregator.PgWire.data;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static dev.understudy.aggregator.PgWire.query;
import static org.assertj.core.api.Assertions.assertThat;

/** Clients that send a COPY's data without waiting for the server's go-ahead, as asyncpg does with little data. */
@Tag("process")
class PostgresEarlyCopyTest extends PgWireStage {
    private static final String COPY = "COPY early FROM STDIN";

    private static void create(PgWire connection) throws Exception {
        connection.send(query("CREATE TEMP TABLE early (a int, b text)")).ready();
    }

    private static String count(PgWire connection) throws Exception {
        return connection.send(query("SELECT count(*), 55 FROM early")).ready();
    }

    @Test
    void dataBeforeTheGoAhead_isRecorded_andWhatFollows() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            create(connection);
            all.add(connection.send(query(COPY), data("1\tx\n"), copyDone()).ready());
            all.add(count(connection));
            all.add(connection.send(query("SELECT 56")).ready());
            return all;
        });

        assertThat(seen).containsExactly("G C Z", "T:2 D:1,55 C Z", "T:1 D:56 C Z");
    }

    @Test
    void syncsAheadOfTheData_areIgnoredAsTheServerDoes() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            create(connection);
            PgMessage[] copy = {parse("", COPY), bind("", ""), execute("", 0)};
            all.add(connection
                    .send(copy[0], copy[1], copy[2], SYNC, data("1\tx\n"), SYNC, data("2\ty\n"), copyDone(), SYNC)
                    .ready());
            all.add(count(connection));
            all.add(connection
                    .send(copy[0], copy[1], copy[2], data("3\tx\n"), copyDone(), SYNC)
                    .ready());
            all.add(count(connection));
            return all;
        });

        assertThat(seen).containsExactly("1 2 G C Z", "T:2 D:2,55 C Z", "1 2 G C Z", "T:2 D:3,55 C Z");
    }

    @Test
    void dataThatIsRefusedOrGivenUp_isRecorded_andSoIsWhatFollows() throws Exception {
        PgMessage fail = new PgWriter().string("no more").toMessage('f');
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection
                    .send(query("COPY missing FROM STDIN"), data("1\tx\n"), copyDone())
                    .ready());
            create(connection);
            all.add(connection
                    .send(query(COPY), data("no number\tx\n"), copyDone())
                    .ready());
            all.add(connection.send(query(COPY), data("1\tx\n"), fail).ready());
            all.add(count(connection));
            return all;
        });

        assertThat(seen).containsExactly("E:42P01 Z", "G E:22P02 Z", "G E:57014 Z", "T:2 D:0,55 C Z");
    }

    @Test
    void severalCopiesAhead_eachHaveTheirOwnData() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            create(connection);
            connection.send(
                    query(COPY),
                    data("1\tx\n"),
                    copyDone(),
                    query(COPY),
                    data("bad\tx\n"),
                    copyDone(),
                    query(COPY),
                    data("2\ty\n"),
                    data("3\tz\n"),
                    copyDone());
            all.add(connection.ready());
            all.add(connection.ready());
            all.add(connection.ready());
            all.add(count(connection));
            return all;
        });

        assertThat(seen).containsExactly("G C Z", "G E:22P02 Z", "G C Z", "T:2 D:3,55 C Z");
    }

    @Test
    void copyAmongSeveralStatements_isLostAlone_andCounted() throws Exception {
        Work work = connection -> {
            List<String> all = new ArrayList<>();
            create(connection);
            all.add(connection
                    .send(query(COPY + "; SELECT 5"), data("1\tx\n"), copyDone())
                    .ready());
            all.add(count(connection));
            return all;
        };
        assertThat(onProduction(work)).containsExactly("G C T:1 D:5 C Z", "T:2 D:1,55 C Z");
        try (PgWire debug = debug()) {
            assertThat(work.on(debug)).containsExactly("E:UD001 Z", "T:2 D:1,55 C Z");
        }

        assertThat(status()).contains("\"missed\":1", "\"BULK_COPY\":1");
    }
}
