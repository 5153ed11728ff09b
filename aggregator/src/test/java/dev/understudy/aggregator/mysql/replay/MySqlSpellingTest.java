package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import dev.understudy.aggregator.mysql.replay.MySqlConversation.Debug;
import dev.understudy.aggregator.mysql.replay.MySqlConversation.Production;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.sql.SqlSpelling;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.mysql.replay.MySqlConversation.PREPARE;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.command;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.ok;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.prepared;
import static org.assertj.core.api.Assertions.assertThat;

/** Statements that differ in white space and comments alone are the same. */
class MySqlSpellingTest {
    private final MySqlConversation server = new MySqlConversation(Duration.ZERO);

    @Test
    void otherWhiteSpace_isTheSameStatement() {
        Production production = server.production("d");
        production.asks("INSERT INTO t (a, b) VALUES (1, 'x  y')", ok());
        production.asks(command(PREPARE, "SELECT a FROM t WHERE b = ?"), prepared(1));
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused("INSERT INTO t (a, b) VALUES (1, 'x y')").state())
                .isEqualTo("UD001");
        assertThat(debug.asks("INSERT INTO t\n  (a,b) /* two */\nVALUES\n  (1,'x  y') -- done")
                        .get(0)[0])
                .isZero();
        assertThat(debug.asks(command(PREPARE, "SELECT a\n FROM t\n WHERE b =?"))
                        .get(0)[0])
                .isZero();
    }

    @Test
    void lastKey_isThatOfTheSameInsertHoweverWritten() {
        MySqlSession one = new MySqlSession();
        MySqlSession other = new MySqlSession();
        MySqlScript.of("INSERT INTO t (a) VALUES (1)").ran(one, 1, List.of());
        MySqlScript.of("INSERT INTO t  (a)  VALUES ( 1 )").ran(other, 1, List.of());
        assertThat(form(other, "SELECT LAST_INSERT_ID()")).isEqualTo(form(one, "SELECT LAST_INSERT_ID()"));
        MySqlScript.of("INSERT INTO t (a) VALUES (2)").ran(other, 1, List.of());
        assertThat(form(other, "SELECT LAST_INSERT_ID()")).isNotEqualTo(form(one, "SELECT LAST_INSERT_ID()"));
    }

    @Test
    void bytes_countWhereTheyAreToCount() {
        MySqlSession session = new MySqlSession(() -> null, SqlSpelling.BYTES);
        assertThat(form(session, "DELETE  FROM t")).isNotEqualTo(form(session, "DELETE FROM t"));
    }

    @Test
    void whatDiffers_hasAName() {
        MySqlSession one = new MySqlSession();
        MySqlSession other = new MySqlSession();
        other.use("d");
        assertThat(differences(form(one, "DELETE FROM t"), form(one, "DELETE FROM u")))
                .containsExactly("sql");
        assertThat(differences(form(one, "DELETE FROM t"), form(other, "DELETE\nFROM t")))
                .containsExactly("database");
    }

    private static List<String> differences(Form asked, Form recorded) {
        RequestOutline outline = Objects.requireNonNull(asked.outline());
        return outline.differences(Objects.requireNonNull(recorded.outline()));
    }

    private static Form form(MySqlSession session, String sql) {
        return MySqlForms.query(session, sql, MySqlScript.of(sql).command(), List.of());
    }
}
