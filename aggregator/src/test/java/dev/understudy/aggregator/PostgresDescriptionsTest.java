package dev.understudy.aggregator;

import java.io.IOException;
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

/** Statements that are described before and after their table is another one, with a copy that is behind. */
@Tag("process")
class PostgresDescriptionsTest extends PgWireStage {
    private static final String ALL = "SELECT * FROM described";
    private static final String CREATE =
            "DROP TABLE IF EXISTS described; CREATE TABLE described (a int); INSERT INTO described VALUES (1)";
    private static final String ADD = "ALTER TABLE described ADD b int";

    private static String described(PgWire connection, String name) throws IOException {
        return connection.send(parse(name, ALL), describe('S', name), SYNC).ready();
    }

    private static String executed(PgWire connection, String name) throws IOException {
        return connection.send(bind("", name), execute("", 0), SYNC).ready();
    }

    @Test
    void description_isOfItsTime_andAPlanThatNoLongerFitsIsRefusedWhereProductionsWas() throws Exception {
        List<String> seen = sameOnBothSides(2, 2, connections -> {
            PgWire other = connections[0];
            PgWire one = connections[1];
            List<String> all = new ArrayList<>();
            all.add(other.send(query(CREATE)).ready());
            all.add(described(one, "s1"));
            all.add(executed(one, "s1"));
            all.add(other.send(query(ADD)).ready());
            all.add(executed(one, "s1"));
            all.add(described(one, "s2"));
            all.add(executed(one, "s2"));
            return all;
        });

        assertThat(seen)
                .containsExactly(
                        "C C C Z", "1 t T:1 Z", "2 D:1 C Z", "C Z", "E:0A000 Z", "1 t T:2 Z", "2 D:1,null C Z");
    }

    /** As psql, libpq's prepare and many tools do: the description alone. */
    @Test
    void descriptionsWithoutExecutions_comeInOrder() throws Exception {
        List<String> seen = sameOnBothSides(one -> {
            List<String> all = new ArrayList<>();
            all.add(one.send(query("DROP TABLE IF EXISTS described")).ready());
            all.add(described(one, "s1"));
            all.add(one.send(query("CREATE TABLE described (a int)")).ready());
            all.add(described(one, "s2"));
            all.add(one.send(query("ALTER TABLE described RENAME a TO b")).ready());
            all.add(one.send(query("ALTER TABLE described ADD c int")).ready());
            all.add(described(one, "s3"));
            all.add(one.send(query("DROP TABLE described")).ready());
            all.add(described(one, "s4"));
            return all;
        });

        assertThat(seen)
                .containsExactly("C Z", "E:42P01 Z", "C Z", "1 t T:1 Z", "C Z", "C Z", "1 t T:2 Z", "C Z", "E:42P01 Z");
    }

    @Test
    void describedTypes_areThoseOfTheTime() throws Exception {
        List<String> seen = sameOnBothSides(one -> {
            List<String> all = new ArrayList<>();
            all.add(one.send(query(CREATE)).ready());
            all.add(described(one, "s1"));
            all.add(executed(one, "s1"));
            all.add(one.send(query("ALTER TABLE described DROP a, ADD b text, ADD c text"))
                    .ready());
            all.add(described(one, "s2"));
            all.add(executed(one, "s2"));
            return all;
        });

        assertThat(seen).contains("2 D:1 C Z", "2 D:null,null C Z");
    }

    /** Production has described it on more connections than the debug side does, or on fewer. */
    @Test
    void poolsOfOtherSizes_getTheDescriptionOfTheTime() throws Exception {
        int[][] sizes = {{3, 1}, {1, 3}};
        for (int[] size : sizes) {
            close();
            open();
            PoolWork work = connections -> {
                List<String> all = new ArrayList<>();
                PgWire one = connections[0];
                all.add(one.send(query(CREATE)).ready());
                all.add(rounds(connections, "s1"));
                all.add(one.send(query(ADD)).ready());
                all.add(rounds(connections, "s2"));
                return all;
            };
            List<String> seen = sameOnBothSides(size[0], size[1], work);
            assertThat(seen).contains("[1 t T:1 Z] 2 D:1 C Z 2 D:1 C Z 2 D:1 C Z");
            assertThat(seen).contains("[1 t T:2 Z] 2 D:1,null C Z 2 D:1,null C Z 2 D:1,null C Z");
        }
    }

    /** All connections describe it, and then it is executed three times on all in turn. */
    private static String rounds(PgWire[] connections, String name) throws IOException {
        List<String> described = new ArrayList<>();
        for (PgWire connection : connections) {
            described.add(described(connection, name));
        }
        List<String> executed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            executed.add(executed(connections[i % connections.length], name));
        }
        return described.stream().distinct().toList() + " " + String.join(" ", executed);
    }
}
