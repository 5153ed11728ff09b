package dev.understudy.aggregator;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.PgWire.FLUSH;
import static dev.understudy.aggregator.PgWire.SYNC;
import static dev.understudy.aggregator.PgWire.bind;
import static dev.understudy.aggregator.PgWire.execute;
import static dev.understudy.aggregator.PgWire.parse;
import static dev.understudy.aggregator.PgWire.query;
import static org.assertj.core.api.Assertions.assertThat;

/** Errors behind which the server ends the connection, and sessions that it doesn't begin. */
@Tag("process")
class PostgresFatalErrorsTest extends PgWireStage {
    private static final String END = "SELECT pg_terminate_backend(pg_backend_pid())";

    @Test
    void queryThatEndsItsSession_endsIt() throws Exception {
        assertThat(sameOnBothSides(
                        connection -> List.of(connection.send(query(END)).heard(3000))))
                .containsExactly("T:1 D:t E:57P01 (closed)");
    }

    @Test
    void executionThatEndsItsSession_endsIt() throws Exception {
        assertThat(sameOnBothSides(connection -> List.of(connection
                        .send(parse("", END), bind("", ""), execute("", 0), SYNC)
                        .heard(3000))))
                .containsExactly("1 2 D:t E:57P01 (closed)");
    }

    @Test
    void executionWithoutSync_thatEndsItsSession_endsIt() throws Exception {
        assertThat(sameOnBothSides(connection -> List.of(connection
                        .send(parse("", END), bind("", ""), execute("", 0), FLUSH)
                        .heard(3000))))
                .containsExactly("1 2 D:t E:57P01 (closed)");
    }

    @Test
    void transactionThatEndsItsSession_endsIt() throws Exception {
        List<String> seen = sameOnBothSides(connection -> {
            List<String> all = new ArrayList<>();
            all.add(connection.send(query("BEGIN")).ready());
            all.add(connection.send(query("SELECT 41; " + END)).heard(3000));
            return all;
        });

        assertThat(seen).containsExactly("C Z", "T:1 D:41 C T:1 D:t E:57P01 (closed)");
    }

    @Test
    void databaseThatIsMissing_isMissing() throws Exception {
        assertThat(sameAtTheStart("database", "nowhere_at_all")).contains("E:3D000 (closed)");
    }

    @Test
    void settingThatIsUnknown_isUnknown() throws Exception {
        assertThat(sameAtTheStart("database", "postgres", "geqo_nonsense", "5")).contains("E:42704 (closed)");
    }

    @Test
    void valueThatIsRefused_isRefused() throws Exception {
        assertThat(sameAtTheStart("database", "postgres", "statement_timeout", "soon"))
                .contains("E:22023 (closed)");
    }

    @Test
    void databaseThatIsMadeLater_isMissingUntilThen() throws Exception {
        PostgresSides.direct("DROP DATABASE IF EXISTS made_later");
        sameAtTheStart("database", "made_later");
        PostgresSides.direct("CREATE DATABASE made_later");
        try {
            assertThat(sameAtTheStart("database", "made_later").get(1)).endsWith("Z");
        } finally {
            PostgresSides.direct("DROP DATABASE made_later WITH (FORCE)");
        }
    }
}
