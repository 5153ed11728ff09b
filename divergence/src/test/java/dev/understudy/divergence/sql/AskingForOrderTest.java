package dev.understudy.divergence.sql;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AskingForOrderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t",
                "select a from t -- order by a",
                "SELECT 'order by' FROM t",
                "SELECT a, row_number() OVER (ORDER BY a) FROM t",
                "SELECT * FROM (SELECT a FROM t ORDER BY a) s",
                "WITH s AS (SELECT a FROM t ORDER BY a) SELECT * FROM s",
                "VALUES (1), (2)",
                "COPY t TO STDOUT",
                "INSERT INTO t VALUES (1) RETURNING id",
                "DELETE FROM t RETURNING a",
                "(SELECT a FROM t) UNION (SELECT b FROM t)",
            })
    void rowsInNoOrder_areKnown(String statement) {
        assertThat(PostgresText.asksForOrder(statement)).isFalse();
        assertThat(MySqlText.asksForOrder(statement)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t ORDER BY a",
                "select a from t order /* now */ by a limit 3",
                "(SELECT a FROM t ORDER BY a LIMIT 3) LIMIT 2",
                "WITH s AS (SELECT a FROM t) SELECT * FROM s ORDER BY 1",
                "SELECT a FROM t UNION SELECT b FROM t ORDER BY 1",
                "FETCH 10 FROM c",
                "EXPLAIN SELECT a FROM t",
                "EXECUTE s",
                "COPY (SELECT a FROM t ORDER BY a) TO STDOUT",
                "SHOW ALL",
                "CALL p()",
                "",
            })
    void rowsInAnOrder_andWhatIsntKnown_keepIt(String statement) {
        assertThat(PostgresText.asksForOrder(statement)).isTrue();
        assertThat(MySqlText.asksForOrder(statement)).isTrue();
    }
}
