package dev.understudy.aggregator;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Statements of one text whose results change their columns, as tables do. */
@Tag("process")
class PostgresShapesTest {
    private static final String ALL = "SELECT * FROM shapes ORDER BY a";
    private static final String CHANGE = "ALTER TABLE shapes ADD COLUMN c text DEFAULT 'new'";

    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
        PostgresSides.direct(
                "DROP TABLE IF EXISTS shapes", "CREATE TABLE shapes (a int)", "INSERT INTO shapes VALUES (1), (2)");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "preferQueryMode=simple", "prepareThreshold=1"})
    void eachResult_comesWithItsOwnColumns(String debug) throws Exception {
        List<String> seen = sides.sameOnBothSides("", debug, connection -> {
            List<String> all = new ArrayList<>();
            try (Statement statement = connection.createStatement()) {
                all.addAll(query(statement));
                statement.execute(CHANGE);
                all.addAll(query(statement));
                statement.execute("ALTER TABLE shapes DROP COLUMN a CASCADE, ADD COLUMN a text DEFAULT 'other'");
                all.addAll(query(statement));
            }
            return all;
        });

        assertThat(seen).hasSize(6).contains("a=1 ", "a=1 c=new ", "c=new a=other ");
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0", "\"unfit\":0");
    }

    @Test
    void resultThatIsNotAsItWasDescribed_isRefusedAndCounted() throws Exception {
        try (Connection production = sides.production("")) {
            prepared(production);
            try (Statement statement = production.createStatement()) {
                statement.execute(CHANGE);
            }
        }
        try (Connection production = sides.production("")) {
            prepared(production);
        }

        try (Connection debug = sides.debug("");
                PreparedStatement first = debug.prepareStatement(ALL);
                PreparedStatement second = debug.prepareStatement(ALL)) {
            first.getMetaData();
            second.getMetaData();
            assertThat(PostgresSides.rows(first.executeQuery())).hasSize(2);
            assertThatThrownBy(second::executeQuery).isInstanceOfSatisfying(SQLException.class, refused -> {
                assertThat(refused.getSQLState()).isEqualTo("UD002");
                assertThat(refused.getMessage()).contains("not those that were described before");
            });
        }
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0", "\"unfit\":1");
        assertThat(TestAggregator.get(sides.aggregator(), "/v1/misses"))
                .contains(ALL, "the recorded reply can't be given: its columns are not those");
    }

    private static List<String> query(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(ALL)) {
            return PostgresSides.rows(rows);
        }
    }

    /** Has it described before it is executed. */
    private static List<String> prepared(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ALL)) {
            statement.getMetaData();
            try (ResultSet rows = statement.executeQuery()) {
                return PostgresSides.rows(rows);
            }
        }
    }
}
