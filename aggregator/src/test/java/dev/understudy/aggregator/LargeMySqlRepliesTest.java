package dev.understudy.aggregator;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Results that are larger than the aggregator's whole memory, and values that are larger than what is held of a
 * message.
 */
@Tag("process")
@Tag("slow")
class LargeMySqlRepliesTest {
    private static final int ROWS = 20_000;
    private static final String SQL = "SELECT seq, REPEAT(MD5(seq), 320) FROM seq_1_to_" + ROWS;

    /** A value of several packets; as a driver reads it at once, no more than a lane may hold. */
    private static final int LONG_VALUE = 34 << 20;

    @TempDir
    private static Path folder;

    private static MariaDbServer server;
    private static SmallAggregator shared;

    @TempDir
    private Path own;

    @BeforeAll
    static void start() throws Exception {
        server = MariaDbServer.get();
        try (Connection direct = server.direct();
                Statement statement = direct.createStatement()) {
            statement.execute("SET GLOBAL max_allowed_packet = 1073741824");
        }
        shared = new SmallAggregator(folder, "mysql", server.port(), "");
    }

    @AfterAll
    static void stop() throws IOException {
        if (shared != null) {
            shared.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mariadb, '', 100",
        "mariadb, '&useServerPrepStmts=true', 100",
        "mysql, '', -2147483648",
        "mysql, '&useServerPrepStmts=true&useCursorFetch=true', 1000"
    })
    void result_readAsItComes_isReplayedAsItWas(String driver, String properties, int fetchSize) throws Exception {
        LongText seen = sameOnBothSides(driver, properties, (connection, progress) -> {
            try (PreparedStatement statement = connection.prepareStatement(SQL)) {
                statement.setFetchSize(fetchSize);
                try (ResultSet rows = statement.executeQuery()) {
                    return LongText.read(rows, progress);
                }
            }
        });
        assertThat(seen.length()).isEqualTo(ROWS * 10_240L);
    }

    @ParameterizedTest
    @CsvSource({"mariadb, ''", "mysql, '&useServerPrepStmts=true'"})
    void longValue_isReplayedAsItWas_withTheRowsAroundIt(String driver, String properties) throws Exception {
        String sql = "SELECT seq, REPEAT(MD5(seq), IF(seq = 3, " + LONG_VALUE / 32 + ", 1)) FROM seq_1_to_5";
        LongText seen = sameOnBothSides(driver, properties, (connection, progress) -> {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet rows = statement.executeQuery()) {
                return LongText.read(rows, progress);
            }
        });
        assertThat(seen.length()).isEqualTo(LONG_VALUE + 4 * 32);
    }

    @Test
    void severalResults_ofWhichSomeAreLarge_areReplayedInTheirOrder() throws Exception {
        String large = "SELECT seq, REPEAT(MD5(seq), 320) FROM seq_1_to_900;";
        sameOnBothSides("mariadb", "&allowMultiQueries=true", (connection, progress) -> {
            try (Statement statement = connection.createStatement()) {
                boolean rows = statement.execute(large + "SELECT 1, 'a';" + large + "SELECT 2, 'b'");
                LongText all = new LongText(0, 0);
                for (int i = 0; i < 4; i++) {
                    assertThat(rows).isTrue();
                    LongText one = LongText.read(statement.getResultSet(), bytes -> {});
                    all = new LongText(all.length() + one.length(), 31 * all.sum() + one.sum());
                    rows = statement.getMoreResults();
                }
                assertThat(rows).isFalse();
                return all;
            }
        });
    }

    @Test
    void whatAKilledProcessLeft_isReplayedByTheNext() throws Exception {
        String journal = "disk-directory: " + own.resolve("journals");
        String sql = "SELECT seq, REPEAT(MD5(seq), 320) FROM seq_1_to_2000";
        LongText production;
        String version;
        try (SmallAggregator killed = new SmallAggregator(own, "mysql", server.port(), journal)) {
            production = read(killed.production(), sql);
            version = version(killed.production());
            killed.awaitRecordedAndClosed(1);
            Eventually.await(() -> killed.number("written") == 1);
            killed.kill();
        }
        try (SmallAggregator again = new SmallAggregator(own, "mysql", server.port(), journal)) {
            Eventually.await(() -> again.number("reloaded") == 1);
            assertThat(version(again.debug())).isEqualTo(version);
            assertThat(read(again.debug(), sql)).isEqualTo(production);
        }
    }

    private static String version(String address) throws Exception {
        try (Connection connection = connect("mariadb", address, "")) {
            return connection.getMetaData().getDatabaseProductVersion();
        }
    }

    private static LongText read(String address, String sql) throws Exception {
        try (Connection connection = connect("mariadb", address, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return LongText.read(rows, bytes -> {});
        }
    }

    private interface Work {
        LongText on(Connection connection, LongText.Progress progress) throws Exception;
    }

    private static LongText sameOnBothSides(String driver, String properties, Work work) throws Exception {
        shared.forget();
        LongText production;
        try (Connection connection = connect(driver, shared.production(), properties)) {
            production = work.on(connection, shared.keepingUp());
        }
        Eventually.await(() -> shared.large("unused") == 1);
        shared.awaitRecordedAndClosed(1);
        try (Connection connection = connect(driver, shared.debug(), properties)) {
            assertThat(work.on(connection, bytes -> {})).isEqualTo(production);
        }
        assertThat(shared.missed()).isZero();
        Eventually.await(() -> shared.large("bytes") == 0);
        return production;
    }

    private static Connection connect(String driver, String address, String properties) throws Exception {
        String ssl = driver.equals("mysql") ? "?sslMode=DISABLED&allowPublicKeyRetrieval=true" : "?sslMode=disable";
        return DriverManager.getConnection(
                "jdbc:" + driver + "://" + address + "/app" + ssl + properties, "app", "secret");
    }
}
