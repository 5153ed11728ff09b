package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TraceCommentTest {
    private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00-" + ID + "-00f067aa0ba902b7-01";
    private static final PgSessionState STATE = new PgSessionState("shop", "");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 FROM t /*traceparent='" + PARENT + "'*/",
                "/*action='%2Fbuy',traceparent='" + PARENT + "',tracestate=''*/ SELECT 1 FROM t;",
                "SELECT 1 FROM t /* traceparent=%27" + PARENT + "%27 */ ;"
            })
    void traceInAComment_isReadAndDoesNotCount(String sql) {
        assertThat(TraceComment.trace(sql)).hasToString(ID);
        assertThat(form(sql)).isEqualTo(form("SELECT 1 FROM t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT '/*traceparent=''" + PARENT + "''*/' FROM t",
                "SELECT 1 FROM t /*traceparent='00-1-1-01'*/",
                "SELECT 1 FROM t -- traceparent='" + PARENT + "'",
                "SELECT 1 FROM t /*+ hint */"
            })
    void whatIsNoSuchComment_isLeft(String sql) {
        assertThat(TraceComment.trace(sql)).isNull();
        assertThat(TraceComment.left(sql)).isEqualTo(sql);
    }

    @Test
    void anyText_isTaken() {
        String[] pieces = {
            "/*", "*/", "'", "traceparent='", PARENT, "'*/", "--", "\n", "$x$", "\"", "a", "%27", ";", "traceparent"
        };
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(20);
            for (int i = 0; i < length; i++) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            String sql = text.toString();
            boolean named = TraceComment.trace(sql) != null;
            assertThat(!named || TraceComment.left(sql).length() < sql.length())
                    .as("seed %d: %s", seed, sql)
                    .isTrue();
        }
    }

    private static Form form(String sql) {
        String canonical = PgForms.canonical(sql);
        return PgForms.statement(STATE, canonical, PgStatementKind.of(canonical));
    }
}
