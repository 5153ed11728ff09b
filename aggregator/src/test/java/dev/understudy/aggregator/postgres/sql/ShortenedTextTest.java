package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.wire.postgres.Frontend;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of texts of which only the beginning is known. */
class ShortenedTextTest {
    private static final PgSessionState STATE = new PgSessionState("orders", "");

    /** As the framer makes them. */
    private static final String REST = "\0 … 9000000 bytes, SHA-256 00ff";

    @ParameterizedTest
    @CsvSource({
        "SELECT 'aaa, true",
        "insert into t values ('aaa, true",
        "with a as (, true",
        "create table t (, true",
        "set a to 'aaa, false",
        "begin; select, false",
        "copy t from stdin; , false",
        "/* select, false",
        "call p('aaa, false",
        "do $$, false"
    })
    void text_isReadable_ifItBeginsWithData(String begun, boolean readable) {
        assertThat(PgStatementKind.readable(new Frontend.Query(begun + REST))).isEqualTo(readable);
        assertThat(PgStatementKind.readable(new Frontend.Parse("S_1", begun + REST, List.of())))
                .isEqualTo(readable);
    }

    @Test
    void text_isNoRead_whateverItBeginsWith() {
        for (String begun : new String[] {"SELECT 'aaa", "SELECT 1", "SELECT * FROM pg_catalog.pg_type WHERE"}) {
            assertThat(PgStatementKind.of(begun + REST)).as(begun).isEqualTo(PgStatementKind.OTHER);
        }
    }

    @Test
    void text_keepsItsHash_whateverStandsBeforeThat() {
        String trace = "/*traceparent='00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'*/";
        for (String begun : new String[] {"SELECT " + trace, trace + "SELECT /* ", "SELECT 1;;  ", "SELECT '"}) {
            assertThat(TraceComment.left(begun + REST)).isEqualTo(begun + REST);
            assertThat(PgForms.canonical(begun + REST)).endsWith(REST);
            assertThat(TraceComment.trace(begun + REST)).isNull();
            assertThat(PgForms.script(STATE, begun + REST)).isNotEqualTo(PgForms.script(STATE, begun + REST + "0"));
        }
    }

    /** It may read on from a cursor, or from a large object. */
    @Test
    void text_dependsOnWhatItsTransactionDidBefore() {
        assertThat(after("SELECT a FROM t", "SELECT 'aaa" + REST))
                .isNotEqualTo(after("SELECT b FROM t", "SELECT 'aaa" + REST))
                .isEqualTo(after("SELECT a FROM t", "SELECT 'aaa" + REST));
        assertThat(after("SELECT a FROM t", "SELECT 'aaa'")).isEqualTo(after("SELECT b FROM t", "SELECT 'aaa'"));
    }

    private static Form after(String first, String then) {
        Course course = new Course();
        form(course, first);
        return form(course, then);
    }

    private static Form form(Course course, String sql) {
        PgStatementKind command = PgStatementKind.of(sql);
        return course.statement(command, sql, PgForms.statement(STATE, sql, command));
    }
}
