package dev.understudy.aggregator;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Statements whose text is larger than what is held of a message. */
@Tag("process")
@Tag("slow")
class LongPostgresStatementsTest {
    private static final int LONG = 10 << 20;

    @TempDir
    private static Path folder;

    private static String database;
    private static SmallAggregator aggregator;

    @TempDir
    private Path own;

    @BeforeAll
    static void start() throws Exception {
        database = PostgresProgram.database();
        try (Connection direct = PostgresProgram.direct(database);
                Statement statement = direct.createStatement()) {
            statement.execute("create table long (id int, data text); create schema other");
        }
        aggregator = new SmallAggregator(folder, "postgres", PostgresProgram.port(), "");
    }

    @AfterAll
    static void stop() throws IOException {
        aggregator.close();
    }

    @ParameterizedTest
    @CsvSource({"'', true", "'', false", "&preferQueryMode=simple, true", "&preferQueryMode=simple, false"})
    void statement_isAnsweredByItsHash_andTheSessionGoesOn(String properties, boolean each) throws Exception {
        aggregator.forget();
        try (Connection production = connect(aggregator.production(), properties)) {
            production.setAutoCommit(each);
            work(production, each, 1);
        }
        aggregator.awaitRecordedAndClosed(3);
        try (Connection debug = connect(aggregator.debug(), properties)) {
            debug.setAutoCommit(true);
            assertThatThrownBy(() -> update(debug, "delete from long where data = '" + text(2) + "'"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("understudy has no recorded reply");
            debug.setAutoCommit(each);
            work(debug, each, 1);
        }
        assertThat(aggregator.status()).doesNotContain("TOO_LARGE");
    }

    private static void work(Connection connection, boolean each, int seed) throws Exception {
        assertThat(update(connection, "insert into long values (1, '" + text(seed) + "'), (2, 'b')"))
                .isEqualTo(2);
        try (PreparedStatement statement = connection.prepareStatement(
                        "select length('" + text(seed) + "'), data from long where id = ?");
                ResultSet row = row(statement)) {
            assertThat(row.getInt(1)).isEqualTo(LONG);
            assertThat(row.getString(2)).isEqualTo("b");
        }
        assertThat(update(connection, "delete from long")).isEqualTo(2);
        if (!each) {
            connection.commit();
        }
    }

    private static ResultSet row(PreparedStatement statement) throws SQLException {
        statement.setInt(1, 2);
        ResultSet row = statement.executeQuery();
        assertThat(row.next()).isTrue();
        return row;
    }

    @Test
    void severalStatementsOfOneLongText_areAnsweredInTheirOrder() throws Exception {
        String text = "insert into long values (7, '%s'); delete from long where id = 7; select 5".formatted(text(1));
        aggregator.forget();
        try (Connection production = connect(aggregator.production(), "&preferQueryMode=simple")) {
            several(production, text);
        }
        aggregator.awaitRecordedAndClosed(1);
        try (Connection debug = connect(aggregator.debug(), "&preferQueryMode=simple")) {
            several(debug, text);
        }
    }

    private static void several(Connection connection, String text) throws Exception {
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.execute(text)).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getMoreResults()).isTrue();
            ResultSet row = statement.getResultSet();
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1)).isEqualTo(5);
        }
    }

    /** What is read under another schema afterwards must not be given to a session that hasn't gone there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select length('%s'); set search_path to other",
                "select length('%s'), set_config('search_path', 'other', false)",
                "set my.own to '%s'"
            })
    void textThatMayChangeTheSession_endsTheRecording(String pattern) throws Exception {
        String text = pattern.formatted(text(1));
        try (SmallAggregator ending = new SmallAggregator(own, "postgres", PostgresProgram.port(), "")) {
            try (Connection production = connect(ending.production(), "&preferQueryMode=simple");
                    Statement statement = production.createStatement()) {
                statement.execute("select 'before'");
                statement.execute(text);
                statement.execute("select 'after'");
            }
            Eventually.await(() -> ending.status().contains("\"TOO_LARGE\":1") && ending.number("open") == 0);
            assertThat(ending.number("unused")).isEqualTo(1);
            try (Connection debug = connect(ending.debug(), "&preferQueryMode=simple");
                    Statement statement = debug.createStatement()) {
                assertThat(statement.execute("select 'before'")).isTrue();
                assertThatThrownBy(() -> statement.execute(text)).isInstanceOf(SQLException.class);
            }
        }
    }

    private static int update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** Texts that differ at their end. */
    private static String text(int seed) {
        return "x".repeat(LONG - 1) + seed;
    }

    private static Connection connect(String address, String properties) throws Exception {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + address + "/" + database + "?sslmode=disable" + properties,
                "postgres",
                "postgres");
    }
}
