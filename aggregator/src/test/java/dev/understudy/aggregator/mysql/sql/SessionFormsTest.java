package dev.understudy.aggregator.mysql.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.sql.MySqlText;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SessionFormsTest {
    private static final String TRACE = "/*traceparent='00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'*/";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BEGIN|BEGIN",
                "start transaction read only|BEGIN",
                "COMMIT|COMMIT",
                "COMMIT AND CHAIN|OTHER",
                "rollback to savepoint a|ROLLBACK_TO",
                "SET NAMES utf8mb4|SET",
                "SET @@session.sql_mode = 'ANSI', autocommit = 1|SET",
                "SET GLOBAL max_connections = 3|OTHER",
                "SET autocommit=1, @@global.x = 2|OTHER",
                "SET PASSWORD = 'x'|OTHER",
                "SELECT 1|PING",
                "/* ping */ SELECT 1|PING",
                "/*!50000 DELETE FROM t */|OTHER",
                "SELECT @@version|CATALOGUE",
                "SELECT @@last_insert_id|READ",
                "SELECT a FROM information_schema.tables|CATALOGUE",
                "SHOW WARNINGS|READ",
                "SHOW GLOBAL STATUS|READ",
                "SHOW VARIABLES LIKE 'x'|CATALOGUE",
                "SELECT a FROM t # FOR UPDATE|OTHER",
                "SELECT a FROM t FOR UPDATE|OTHER",
                "SELECT GET_LOCK('a', 1)|OTHER",
                "SELECT @a := 1|OTHER",
                "INSERT INTO t SELECT 1|OTHER",
                "LOAD DATA LOCAL INFILE 'f' INTO TABLE t|FILE",
                "WITH a AS (SELECT 1) DELETE FROM t|OTHER"
            })
    void kindOfAStatement_isInItsWords(String sql, MySqlStatementKind command) {
        assertThat(MySqlStatementKind.of(sql)).isEqualTo(command);
    }

    @Test
    void statements_endAtSemicolonsOutsideOfStrings() {
        assertThat(MySqlText.statements("SELECT ';\\'', \";\", `;` -- ;\n; /* ; */ SELECT 2 # ;\n;;"))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("/* ; */ SELECT 2");
    }

    @Test
    void traceComment_isNoPartOfAForm() {
        MySqlSession session = new MySqlSession();
        assertThat(form(session, TRACE + "SELECT a FROM t;")).isEqualTo(form(session, "SELECT a FROM t"));
        assertThat(MySqlForms.trace(TRACE + "SELECT a FROM t", List.of())).isNotNull();
        assertThat(form(session, "SELECT a FROM t /*+ hint */")).isNotEqualTo(form(session, "SELECT a FROM t"));
    }

    @Test
    void shownText_isOneLineWithoutLiterals() {
        assertThat(form(new MySqlSession(), "SELECT `a\nb`,\n 'secret' FROM t").text())
                .isEqualTo("SELECT `a.b`, '…' FROM t in no database");
    }

    @Test
    void whatIsSet_countsAndDefaultUndoesIt() {
        MySqlSession session = new MySqlSession();
        Form before = form(session, "SELECT a FROM t");
        for (String set : List.of(
                "SET sql_mode = 'ANSI'",
                "SET NAMES latin1",
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "USE other",
                "SET autocommit = 0")) {
            MySqlSession changed = new MySqlSession();
            run(changed, set);
            assertThat(form(changed, "SELECT a FROM t")).as(set).isNotEqualTo(before);
        }
        run(session, "SET sql_mode = 'ANSI', net_write_timeout = 600");
        run(session, "SET @@session.sql_mode = DEFAULT");
        assertThat(form(session, "SELECT a FROM t")).isEqualTo(before);
    }

    @Test
    void modesOfTransactions_countHoweverTheyAreSet() {
        Form plain = form(begun(), "SELECT a FROM t");
        Form serializable = form(begun("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"), "SELECT a FROM t");
        assertThat(serializable).isNotEqualTo(plain);
        for (String set : List.of(
                "SET transaction_isolation = 'serializable'",
                "SET @@session.tx_isolation = 'SERIALIZABLE'",
                "SET @@tx_isolation = 'SERIALIZABLE'",
                "set  transaction /* next */ isolation level serializable")) {
            assertThat(form(begun(set), "SELECT a FROM t")).as(set).isEqualTo(serializable);
        }
        Form readOnly = form(begun("SET SESSION TRANSACTION READ ONLY"), "SELECT a FROM t");
        assertThat(readOnly).isNotIn(plain, serializable);
        assertThat(form(begun("SET TRANSACTION READ ONLY"), "SELECT a FROM t")).isEqualTo(readOnly);
        assertThat(form(begun("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY"), "SELECT a FROM t"))
                .isEqualTo(form(
                        begun("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SET SESSION tx_read_only = 1"),
                        "SELECT a FROM t"))
                .isNotIn(plain, serializable, readOnly);
        assertThat(form(
                        begun("SET SESSION TRANSACTION READ ONLY", "SET SESSION TRANSACTION READ WRITE"),
                        "SELECT a FROM t"))
                .isEqualTo(plain);
    }

    @Test
    void modesOfOneTransaction_endWithIt() {
        Form plain = form(begun(), "SELECT a FROM t");
        Form outside = form(new MySqlSession(), "SELECT a FROM t");
        for (String end : List.of("COMMIT", "ROLLBACK")) {
            MySqlSession session = new MySqlSession();
            run(session, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
            assertThat(form(session, "SELECT a FROM t").text())
                    .contains("in a transaction, consistent snapshot=ON, transaction_read_only=ON");
            run(session, end);
            assertThat(form(session, "SELECT a FROM t")).isEqualTo(outside);
            run(session, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            assertThat(form(session, "SELECT a FROM t")).isNotEqualTo(outside);
            run(session, "SELECT a FROM t");
            assertThat(form(session, "SELECT a FROM t"))
                    .as("the next one after it")
                    .isEqualTo(outside);
            run(session, "BEGIN");
            run(session, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            run(session, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            assertThat(form(session, "SELECT a FROM t")).as("in an open one").isEqualTo(plain);
            run(session, end);
            assertThat(form(session, "SELECT a FROM t")).isNotEqualTo(outside);
        }
    }

    @Test
    void usualLevel_isNoneOnceItIsKnown() {
        AtomicReference<String> usual = new AtomicReference<>();
        MySqlSession session = new MySqlSession(usual::get);
        run(session, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
        Form outside = form(new MySqlSession(), "SELECT a FROM t");
        assertThat(form(session, "SELECT a FROM t")).isNotEqualTo(outside);
        usual.set("READ-COMMITTED");
        assertThat(form(session, "SELECT a FROM t")).isEqualTo(outside);
        usual.set("REPEATABLE-READ");
        assertThat(form(session, "SELECT a FROM t")).isNotEqualTo(outside);
    }

    private static MySqlSession begun(String... sets) {
        MySqlSession session = new MySqlSession();
        List.of(sets).forEach(set -> run(session, set));
        run(session, "BEGIN");
        return session;
    }

    @Test
    void lastKey_isThatOfTheLastWrite() {
        MySqlSession one = new MySqlSession();
        MySqlSession other = new MySqlSession();
        run(one, "INSERT INTO t VALUES (1)");
        run(other, "INSERT INTO t VALUES (2)");
        assertThat(form(one, "SELECT LAST_INSERT_ID()")).isNotEqualTo(form(other, "SELECT LAST_INSERT_ID()"));
        assertThat(form(one, "SELECT LAST_INSERT_ID()").repeatable()).isFalse();
        assertThat(form(one, "SELECT a FROM t")).isEqualTo(form(other, "SELECT a FROM t"));
        run(other, "INSERT INTO t VALUES (1)");
        assertThat(form(one, "SELECT LAST_INSERT_ID()")).isEqualTo(form(other, "SELECT LAST_INSERT_ID()"));
    }

    @Test
    void variablesAndTemporaryTables_countWhereTheyAreNamed() {
        for (String[] pair : new String[][] {
            {"SET @x = 1", "SET @x = 2", "SELECT @x"},
            {"PREPARE p FROM 'SELECT 1'", "PREPARE p FROM 'SELECT 2'", "EXECUTE p"},
            {"CREATE TEMPORARY TABLE tt SELECT 1", "CREATE TEMPORARY TABLE tt SELECT 2", "SELECT * FROM tt"}
        }) {
            MySqlSession one = new MySqlSession();
            MySqlSession other = new MySqlSession();
            run(one, pair[0]);
            run(other, pair[1]);
            assertThat(form(one, pair[2])).as(pair[2]).isNotEqualTo(form(other, pair[2]));
            assertThat(form(one, "SELECT a FROM t")).isEqualTo(form(other, "SELECT a FROM t"));
        }
    }

    private static void run(MySqlSession session, String sql) {
        MySqlScript.of(sql).ran(session, 1, List.of());
    }

    private static Form form(MySqlSession session, String text) {
        MySqlScript script = MySqlScript.of(text);
        return MySqlForms.query(session, script.sql(), script.command(), List.of());
    }
}
