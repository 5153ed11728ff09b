package dev.understudy.aggregator;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Results that are larger than the aggregator's whole memory. */
@Tag("process")
@Tag("slow")
class LargePostgresRepliesTest {
    private static final int ROWS = 20_000;

    /** As a driver that reads all of a result at once can't be made to keep a pace. */
    private static final int FEWER_ROWS = 6_000;

    /** More than half of the aggregator's heap, and much more than a lane may hold. */
    private static final int LONG_VALUE = 96 << 20;

    private static final long OBJECT = 4711;
    private static final int OBJECT_BYTES = 64 << 20;

    private static final String SQL = "select n, repeat(md5(n::text), 320) from generate_series(1, %d) as numbers(n)";

    @TempDir
    private static Path folder;

    private static String database;
    private static SmallAggregator aggregator;

    @BeforeAll
    static void start() throws Exception {
        database = PostgresProgram.database();
        aggregator = new SmallAggregator(folder, "postgres", PostgresProgram.port(), "");
    }

    @AfterAll
    static void stop() throws IOException {
        aggregator.close();
    }

    @BeforeEach
    void forget() throws Exception {
        aggregator.forget();
    }

    @Test
    void result_readWithFetchSize_isReplayedAsItWas() throws Exception {
        sameOnBothSides("", ROWS, this::fetched);
    }

    @Test
    void result_readOutsideATransaction_isReplayedAsItWas() throws Exception {
        sameOnBothSides("", FEWER_ROWS, this::whole);
    }

    @Test
    void result_ofASimpleQuery_isReplayedAsItWas() throws Exception {
        sameOnBothSides("&preferQueryMode=simple", FEWER_ROWS, this::whole);
    }

    @Test
    void severalStatementsOfOneText_ofWhichSomeAreLarge_areReplayedInTheirOrder() throws Exception {
        sameOnBothSides(
                "&preferQueryMode=simple",
                FEWER_ROWS,
                (connection, sql) -> several(connection, "select 1, 'a'; " + sql + "; select 2, 'b'; " + sql, 4));
    }

    @Test
    void copyToStdout_isReplayedAsItWas() throws Exception {
        sameOnBothSides("", ROWS, this::copied);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&preferQueryMode=simple", "&defaultRowFetchSize=2"})
    void longValue_isReplayedAsItWas_withTheRowsAroundIt(String properties) throws Exception {
        LongText seen = longValues(properties, (connection, sql) -> {
            connection.setAutoCommit(!properties.contains("Fetch"));
            return whole(connection, sql);
        });
        assertThat(seen.length()).isEqualTo(2L * LONG_VALUE + 5 * 32);
    }

    @Test
    void longValue_amongSeveralStatementsOfOneText_isReplayedInItsPlace() throws Exception {
        longValues(
                "&preferQueryMode=simple",
                (connection, sql) -> several(connection, "select 1, 'a'; " + sql + "; select 2, 'b'", 3));
    }

    @Test
    void longValueOfAFunctionCall_isReplayedAsItWas() throws Exception {
        String fill = "select lo_from_bytea(%d, string_agg(sha512(n::text::bytea), '' order by n))"
                + " from generate_series(1, %d) as numbers(n)";
        try (Connection direct = PostgresProgram.direct(database);
                Statement statement = direct.createStatement()) {
            statement.execute(fill.formatted(OBJECT, OBJECT_BYTES / 64));
        }
        LongText seen = sameOnBothSides("", "", (connection, none) -> {
            connection.setAutoCommit(false);
            LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
            byte[] bytes;
            try (LargeObject object = objects.open(OBJECT, LargeObjectManager.READ)) {
                bytes = object.read(2 * OBJECT_BYTES);
            }
            connection.commit();
            return LongText.read(new ByteArrayInputStream(bytes));
        });
        assertThat(seen.length()).isEqualTo(OBJECT_BYTES);
    }

    @Test
    void longRowOfACopy_isReplayedAsItWas() throws Exception {
        LongText seen = longValues("", this::copied);
        assertThat(seen.length()).isGreaterThan(2L * LONG_VALUE);
    }

    @Test
    void longValue_thatIsAskedForInAnotherFormat_isAMissWithItsReason() throws Exception {
        String sql = "select 3, decode(repeat('5c', 3 << 20), 'hex')";
        try (Connection connection = connect(aggregator.production(), "&binaryTransfer=false")) {
            bytes(connection, sql);
        }
        aggregator.awaitRecordedAndClosed(1);
        try (Connection connection = connect(aggregator.debug(), "&prepareThreshold=-1")) {
            assertThatThrownBy(() -> bytes(connection, sql))
                    .hasMessageContaining("too long to be rewritten")
                    .extracting(thrown -> ((SQLException) thrown).getSQLState())
                    .isEqualTo("UD002");
            assertThat(connection.isValid(60)).isTrue();
        }
    }

    private static void bytes(Connection connection, String sql) throws Exception {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            assertThat(row.next()).isTrue();
            assertThat(row.getBytes(2)).hasSize(3 << 20);
        }
    }

    /** Two long values among short ones; no row's is another's. */
    private LongText longValues(String properties, Work work) throws Exception {
        String sql = "select n, repeat(md5(n::text), case when n in (3, 4) then " + LONG_VALUE / 32
                + " else 1 end) from generate_series(1, 7) as numbers(n)";
        return sameOnBothSides(properties, sql, work);
    }

    private interface Work {
        LongText on(Connection connection, String sql) throws Exception;
    }

    private void sameOnBothSides(String properties, int rows, Work work) throws Exception {
        assertThat(sameOnBothSides(properties, SQL.formatted(rows), work).length())
                .isGreaterThan(rows * 10_000L);
    }

    private LongText sameOnBothSides(String properties, String sql, Work work) throws Exception {
        PacedSockets.PROGRESS.set(aggregator.keepingUp());
        LongText production;
        try (Connection connection =
                connect(aggregator.production(), properties + "&socketFactory=" + PacedSockets.class.getName())) {
            production = work.on(connection, sql);
        } finally {
            PacedSockets.PROGRESS.remove();
        }
        aggregator.awaitRecordedAndClosed(1);
        try (Connection connection = connect(aggregator.debug(), properties)) {
            assertThat(work.on(connection, sql)).isEqualTo(production);
        }
        assertThat(aggregator.missed()).isZero();
        return production;
    }

    private static Connection connect(String address, String properties) throws Exception {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + address + "/" + database + "?sslmode=disable" + properties,
                "postgres",
                "postgres");
    }

    private LongText fetched(Connection connection, String sql) throws Exception {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(100);
            LongText read = read(statement, sql);
            connection.commit();
            return read;
        }
    }

    private LongText whole(Connection connection, String sql) throws Exception {
        try (Statement statement = connection.createStatement()) {
            return read(statement, sql);
        }
    }

    private static LongText several(Connection connection, String statements, int count) throws Exception {
        LongText all = new LongText(0, 0);
        try (Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(statements);
            for (int i = 0; i < count; i++) {
                assertThat(rows).isTrue();
                LongText one = LongText.read(statement.getResultSet(), bytes -> {});
                all = new LongText(all.length() + one.length(), 31 * all.sum() + one.sum());
                rows = statement.getMoreResults();
            }
        }
        return all;
    }

    private static LongText read(Statement statement, String sql) throws Exception {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return LongText.read(rows, bytes -> {});
        }
    }

    private LongText copied(Connection connection, String sql) throws Exception {
        CRC32C sum = new CRC32C();
        long[] length = {0};
        new CopyManager(connection.unwrap(BaseConnection.class))
                .copyOut("copy (" + sql + ") to stdout", new OutputStream() {
                    @Override
                    public void write(int octet) {
                        write(new byte[] {(byte) octet}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int some) {
                        sum.update(bytes, from, some);
                        length[0] += some;
                    }
                });
        return new LongText(length[0], sum.getValue());
    }
}
