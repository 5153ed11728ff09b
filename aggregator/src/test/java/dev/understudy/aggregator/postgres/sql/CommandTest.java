package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.sql.PostgresText;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CommandTest {
    @Test
    void statements_endAtSemicolonsThatAreNeitherQuotedNorCommented() {
        assertThat(PostgresText.statements(
                        "SELECT ';' ; /* ; /* ; */ ; */ SELECT \"a;b\" -- ;\n; SELECT $x$;$x$, E'\\';', 'a'';'; ;"))
                .containsExactly(
                        "SELECT ';'", "/* ; /* ; */ ; */ SELECT \"a;b\" -- ;", "SELECT $x$;$x$, E'\\';', 'a'';'");
    }

    @Test
    void parameters_areNoDollarQuotes() {
        assertThat(PostgresText.statements("SELECT $1; SELECT $2")).hasSize(2);
    }

    @Test
    void onlyComments_areNoStatement() {
        assertThat(PostgresText.statements(" -- nothing\n /* at all */ ; ")).isEmpty();
    }

    @Test
    void display_leavesOutWhatLiteralsHold() {
        assertThat(PostgresText.display("SELECT  *\n FROM users -- all\n WHERE password='secret'", 100))
                .isEqualTo("SELECT * FROM users WHERE password='…'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BEGIN|BEGIN",
                "begin isolation level serializable|BEGIN",
                "START TRANSACTION|BEGIN",
                "COMMIT|COMMIT",
                "end|COMMIT",
                "ROLLBACK|ROLLBACK",
                "rollback to savepoint a|ROLLBACK_TO",
                "COMMIT PREPARED 'x'|OTHER",
                "prepare transaction 'x'|PREPARE",
                "PREPARE x AS SELECT 5|OTHER",
                "SAVEPOINT a|SAVEPOINT",
                "SET x = 1|SET",
                "SET CONSTRAINTS ALL IMMEDIATE|OTHER",
                "SHOW TRANSACTION ISOLATION LEVEL|SHOW",
                "/* ping */ SELECT 1|PING",
                "select 1;|PING",
                "SELECT 1, 2|READ",
                "SELECT 1 FROM t|READ",
                "SELECT 11|READ",
                "SELECT t.oid FROM pg_catalog.pg_type t|CATALOGUE",
                "select current_schema()|CATALOGUE",
                "-- nothing|EMPTY",
                "COPY t FROM STDIN|COPY",
                "WITH a AS (DELETE FROM t) SELECT 1|OTHER",
                "UPDATE t SET a = 1|OTHER",
                "SELECT a FROM t FOR NO KEY UPDATE|OTHER",
                "select nextval('s')|OTHER",
                "SELECT a INTO b FROM t|OTHER",
                "SELECT intoxicated, updated FROM shares|READ",
            })
    void command_isKnownByItsWords(String sql, PgStatementKind command) {
        assertThat(PgStatementKind.of(sql)).isEqualTo(command);
    }

    @Test
    void anyText_isTaken() {
        String alphabet = "ab;'\"$/*-\n E\\x1 ";
        for (int i = 0; i < 20_000; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(40); j > 0; j--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                String sql = text.toString();
                PostgresText.statements(sql).forEach(PgStatementKind::of);
                PostgresText.display(sql, 20);
                new Settings().follow(PgStatementKind.SET, "SET " + sql, List.of());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
