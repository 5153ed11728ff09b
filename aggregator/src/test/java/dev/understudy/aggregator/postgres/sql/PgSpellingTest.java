package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import dev.understudy.aggregator.sql.SqlSpelling;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Statements that differ in white space and comments alone are the same. */
class PgSpellingTest {
    private final PgSessionState state = new PgSessionState("d", "");

    @Test
    void otherWhiteSpace_isTheSameStatement() {
        Form one = form(state, "SELECT a FROM t WHERE b = 'x  y' AND c = $1");
        assertThat(form(state, "SELECT a\nFROM t -- all\nWHERE b='x  y'\n  AND c=$1"))
                .isEqualTo(one);
        assertThat(form(state, "SELECT a FROM t WHERE b = 'x y' AND c = $1")).isNotEqualTo(one);
        assertThat(form(state, "/*+ SeqScan(t) */ SELECT a FROM t WHERE b = 'x  y' AND c = $1"))
                .isNotEqualTo(one);
    }

    @Test
    void severalStatementsInOneText_areTheSameToo() {
        assertThat(PgForms.script(state, "DELETE FROM t;\n-- and\nDELETE FROM u;"))
                .isEqualTo(PgForms.script(state, "DELETE FROM t; DELETE FROM u;"));
    }

    @Test
    void bytes_countWhereTheyAreToCount() {
        PgSessionState bytes = new PgSessionState("d", "", "", SqlSpelling.BYTES);
        assertThat(form(bytes, "SELECT  a FROM t")).isNotEqualTo(form(bytes, "SELECT a FROM t"));
    }

    @Test
    void whatDiffers_hasAName() {
        Form one = form(state, "SELECT a FROM t");
        RequestOutline recorded = Objects.requireNonNull(one.outline());
        RequestOutline sql =
                Objects.requireNonNull(form(state, "SELECT b FROM t").outline());
        assertThat(sql.differences(recorded)).containsExactly("sql");
        PgSessionState other = new PgSessionState("d", "search_path=x");
        RequestOutline settings =
                Objects.requireNonNull(form(other, "SELECT  a  FROM t").outline());
        assertThat(settings.differences(recorded)).containsExactly("settings");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''            | ''               | SELECT a FROM t in orders",
                "''            | in a transaction | SELECT a FROM t in orders, in a transaction",
                "search_path=x | ''               | SELECT a FROM t in orders with search_path=x",
                "search_path=x | in a transaction | SELECT a FROM t in orders with search_path=x, in a transaction",
            })
    void session_isToldInASentence(String settings, String transaction, String text) {
        assertThat(form(new PgSessionState("orders", settings, transaction), "SELECT a FROM t")
                        .text())
                .isEqualTo(text);
    }

    private static Form form(PgSessionState state, String sql) {
        return PgForms.statement(state, new Wording(PgForms.canonical(sql)), List.of());
    }
}
