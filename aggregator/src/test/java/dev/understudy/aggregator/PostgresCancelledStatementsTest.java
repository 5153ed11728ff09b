package dev.understudy.aggregator;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static dev.understudy.aggregator.PgWire.query;
import static org.assertj.core.api.Assertions.assertThat;

/** Drivers cancel what takes them too long: the debug JVM's timer must find the statement still under way. */
@Tag("process")
class PostgresCancelledStatementsTest extends PgWireStage {
    private static final int LONG = 300;

    @Test
    void cancelledQuery_isAnsweredWhenItIsCancelled() throws Exception {
        List<String> seen = sameOnBothSides(connection -> cancelled(connection.send(query("SELECT pg_sleep(20)"))));

        assertThat(seen).containsExactly("", "T:1 E:57014 Z", "T:1 D:2 C Z");
    }

    @Test
    void cancelledExecution_isAnsweredWhenItIsCancelled() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            connection.send(parse("", "SELECT pg_sleep(21)"), bind("", ""), execute("", 0), SYNC);
            return cancelled(connection);
        });

        assertThat(seen).containsExactly("", "1 2 E:57014 Z", "T:1 D:2 C Z");
    }

    @Test
    void cancelledStatementOfSeveral_isAnsweredWhenItIsCancelled() throws Exception {
        List<String> seen = sameOnBothSides(
                connection -> cancelled(connection.send(query("SELECT pg_sleep(0); SELECT pg_sleep(22)"))));

        assertThat(seen).containsExactly("", "T:1 D: C T:1 E:57014 Z", "T:1 D:2 C Z");
    }

    @Test
    void cancelledStatementOfATransaction_failsItAlone() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            connection.send(query("BEGIN")).ready();
            List<String> all = cancelled(connection.send(query("SELECT pg_sleep(23)")));
            connection.send(query("ROLLBACK")).ready();
            return all;
        });

        assertThat(seen).containsExactly("", "T:1 E:57014 Z", "E:25P02 Z");
    }

    @Test
    void servers_ownTimeout_takesItsTime() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            connection.send(query("SET statement_timeout = 700")).ready();
            String first = connection.send(query("SELECT pg_sleep(24)")).heard(LONG);
            return List.of(first, connection.ready());
        });

        assertThat(seen).containsExactly("", "T:1 E:57014 Z");
    }

    @Test
    void queryThatDebugDoesNotCancel_isAnsweredAsInProduction() throws Exception {
        onProduction(connection -> cancelled(connection.send(query("SELECT pg_sleep(25)"))));

        try (PgWire debug = debug()) {
            assertThat(debug.send(query("SELECT pg_sleep(25)")).ready()).isEqualTo("T:1 E:57014 Z");
        }
    }

    private static List<String> cancelled(PgWire connection) throws Exception {
        String before = connection.heard(LONG);
        String ended = "";
        while (ended.isEmpty()) {
            // a server that hasn't begun with the statement yet takes no notice
            connection.cancel();
            ended = connection.heard(LONG);
        }
        return List.of(before, ended, connection.send(query("SELECT 1+1")).ready());
    }
}
