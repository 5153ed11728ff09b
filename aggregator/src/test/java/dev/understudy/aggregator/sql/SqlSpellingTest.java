package dev.understudy.aggregator.sql;

import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.sql.SqlTokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqlSpellingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "SELECT a FROM t WHERE b = 1 | SELECT  a\\n FROM t\\n\\tWHERE b=1",
                "SELECT a FROM t WHERE b = 1 | SELECT a FROM t -- the t\\n WHERE b = 1",
                "SELECT a FROM t WHERE b = 1 | /* by: me */ SELECT a /* a */ FROM t WHERE b /**/ = /* one */ 1 /* end */",
                "SELECT a, b FROM t | SELECT a,\\n       b\\nFROM t",
                "SELECT a FROM t WHERE b IN (1, 2) | SELECT a FROM t WHERE b IN ( 1,2 )",
                "INSERT INTO t (a, b) VALUES ('x ', 2) | INSERT INTO t (a,b)\\nVALUES ( 'x ' , 2 ) -- done",
                "UPDATE t SET a = a + 1 WHERE b <> 'y' | UPDATE t SET a=a+1 WHERE b<>'y'",
                "SELECT * FROM t | SELECT  *  FROM  t"
            })
    void whiteSpaceAndComments_meanNothing(String one, String other) {
        assertThat(SqlSpelling.MEANING.postgres(written(other))).isEqualTo(SqlSpelling.MEANING.postgres(written(one)));
        assertThat(SqlSpelling.MEANING.mySql(written(other))).isEqualTo(SqlSpelling.MEANING.mySql(written(one)));
        assertThat(SqlSpelling.BYTES.postgres(written(other))).isNotEqualTo(SqlSpelling.BYTES.postgres(written(one)));
        assertThat(SqlSpelling.BYTES.mySql(written(other))).isNotEqualTo(SqlSpelling.BYTES.mySql(written(one)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "SELECT 'a  b' | SELECT 'a b'",
                "SELECT a FROM t WHERE b = 'x -- y' | SELECT a FROM t WHERE b = 'x '",
                "SELECT a FROM t WHERE b = '/* x */' | SELECT a FROM t WHERE b = ''",
                "SELECT a FROM t WHERE b = 'it''s  x' | SELECT a FROM t WHERE b = 'it''s x'",
                "SELECT \"a  b\" FROM t | SELECT \"a b\" FROM t",
                "SELECT a b FROM t | SELECT ab FROM t",
                "SELECT a FROM t WHERE b = - -1 | SELECT a FROM t WHERE b = --1\\n",
                "SELECT a FROM t WHERE b = 'x' 'y' | SELECT a FROM t WHERE b = 'x''y'",
                "SELECT a FROM t WHERE b = 'x'\\n'y' | SELECT a FROM t WHERE b = 'x' 'y'",
                "SELECT a FROM t WHERE b < = 1 | SELECT a FROM t WHERE b <= 1",
                "SELECT 1 /* not ended | SELECT 1",
                "/*+ SET(x 1) */ SELECT a FROM t | SELECT a FROM t",
                "SELECT a FROM t --x\\r, u | SELECT a FROM t --y\\r, v"
            })
    void whatMayMeanSomething_stays(String one, String other) {
        assertThat(SqlSpelling.MEANING.postgres(written(other)))
                .isNotEqualTo(SqlSpelling.MEANING.postgres(written(one)));
        assertThat(SqlSpelling.MEANING.mySql(written(other))).isNotEqualTo(SqlSpelling.MEANING.mySql(written(one)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "SELECT a + 1 FROM t | SELECT a+1 FROM t", // it names the result
                "SELECT (SELECT b  FROM u) FROM t | SELECT (SELECT b FROM u) FROM t",
                "DELETE FROM t RETURNING a + 1 | DELETE FROM t RETURNING a+1",
                "VALUES (1 + 1) | VALUES (1+1)",
                "SELECT a FROM t WHERE b = COUNT (c) | SELECT a FROM t WHERE b = COUNT(c)",
                "SELECT /*! STRAIGHT_JOIN  */ a FROM t | SELECT /*! STRAIGHT_JOIN */ a FROM t",
                "SELECT /*!50001 1 */ | SELECT /*! 50001 1 */",
                "SELECT /*+ MAX_EXECUTION_TIME(9) */ a FROM t | SELECT a FROM t",
                "SELECT a FROM t WHERE b = `x  y` | SELECT a FROM t WHERE b = `x y`",
                "SELECT a FROM t WHERE b = 'x\\\\'  OR c = 'y' | SELECT a FROM t WHERE b = 'x\\\\' OR c = 'y'",
                "SELECT a FROM t WHERE b = 'ä  ' | SELECT a FROM t WHERE  b = 'ä  '"
            })
    void whatMayMeanSomethingToMySql_stays(String one, String other) {
        assertThat(SqlSpelling.MEANING.mySql(written(other))).isNotEqualTo(SqlSpelling.MEANING.mySql(written(one)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "DO $$ a  b $$ | DO $$ a b $$",
                "DO $x$ -- a\\n $x$ | DO $x$ $x$",
                "SELECT E'a\\\\'  , 'b' | SELECT E'a\\\\', 'b'",
                "SELECT current_query(), 1 | SELECT current_query(),1",
                "SELECT 1 /* /* */ | SELECT 1",
                "SELECT a\u2003b FROM t | SELECT a b FROM t"
            })
    void whatMayMeanSomethingToPostgres_stays(String one, String other) {
        assertThat(SqlSpelling.MEANING.postgres(written(other)))
                .isNotEqualTo(SqlSpelling.MEANING.postgres(written(one)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SELECT count (*), a + 1 FROM t", "/* a /* nested */ comment */ SELECT count(*),a+1\nFROM t -- x"
            })
    void postgresNamesNoResultByItsText(String sql) {
        assertThat(SqlSpelling.MEANING.postgres(sql)).isEqualTo("SELECT count(*),a+1 FROM t");
    }

    @Test
    void anyText_keepsItsTokensAndIsSettled() {
        String[] pieces = {
            "SELECT",
            "a",
            "b1",
            "FROM",
            "t",
            "(",
            ")",
            ",",
            ";",
            "=",
            "<",
            "-",
            "--",
            "+",
            "*",
            "/",
            "/*",
            "*/",
            "'",
            "''",
            "\"",
            "`",
            "$$",
            "$x$",
            "$1",
            "?",
            ":",
            "::",
            ".",
            "1",
            "2.5",
            "E'",
            "@a",
            "@@b",
            "#",
            "!",
            "||",
            " ",
            "  ",
            "\n",
            "\t",
            "\r",
            "\f",
            "\\",
            "'x  y'",
            "/* c */",
            "-- d\n",
            "/*! e */",
            "/*+ f */",
            "VALUES",
            "INSERT",
            "RETURNING",
            "ä",
            "\u2003",
            "current_query"
        };
        Map<String, List<String>> postgres = new HashMap<>();
        Map<String, List<String>> mySql = new HashMap<>();
        for (long seed = 0; seed < 40_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(14); i >= 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            String sql = text.toString();
            String pg = SqlSpelling.MEANING.postgres(sql);
            assertThat(tokens(new PostgresText(pg))).as("seed %d", seed).isEqualTo(tokens(new PostgresText(sql)));
            assertThat(SqlSpelling.MEANING.postgres(pg)).as("seed %d", seed).isEqualTo(pg);
            List<String> alike = postgres.putIfAbsent(pg, tokens(new PostgresText(sql)));
            assertThat(alike == null || alike.equals(tokens(new PostgresText(sql))))
                    .as("seed %d", seed)
                    .isTrue();
            String my = SqlSpelling.MEANING.mySql(sql);
            assertThat(tokens(new MySqlText(my))).as("seed %d", seed).isEqualTo(tokens(new MySqlText(sql)));
            assertThat(SqlSpelling.MEANING.mySql(my)).as("seed %d", seed).isEqualTo(my);
            List<String> same = mySql.putIfAbsent(my, tokens(new MySqlText(sql)));
            assertThat(same == null || same.equals(tokens(new MySqlText(sql))))
                    .as("seed %d", seed)
                    .isTrue();
        }
    }

    private static List<String> tokens(SqlTokens text) {
        List<String> tokens = new ArrayList<>();
        for (SqlTokens.Token token = text.next(); token != SqlTokens.Token.END; token = text.next()) {
            tokens.add(token + " " + text.word());
        }
        return tokens;
    }

    private static String written(String escaped) {
        return escaped.replace("\\\\", "\u0001")
                .replace("\\n", "\n")
                .replace("\\t", "\t")
                .replace("\\r", "\r")
                .replace('\u0001', '\\');
    }
}
