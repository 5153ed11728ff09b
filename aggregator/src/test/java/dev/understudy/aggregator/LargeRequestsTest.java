package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests that are larger than the aggregator's whole memory. */
@Tag("process")
@Tag("slow")
class LargeRequestsTest {
    private static final long LONG = SmallAggregator.TOO_MANY;

    @TempDir
    private static Path folder;

    private static @Nullable SmallAggregator beforePostgres;
    private static @Nullable SmallAggregator beforeMySql;

    @TempDir
    private Path own;

    @AfterAll
    static void stop() throws IOException {
        for (SmallAggregator each : new SmallAggregator[] {beforePostgres, beforeMySql}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private static SmallAggregator postgres() throws Exception {
        SmallAggregator aggregator = beforePostgres;
        if (aggregator == null) {
            Path home = Files.createDirectory(folder.resolve("postgres"));
            aggregator = new SmallAggregator(home, "postgres", PostgresProgram.port(), "");
            beforePostgres = aggregator;
        }
        aggregator.forget();
        return aggregator;
    }

    private static SmallAggregator mySql(MariaDbServer server) throws Exception {
        SmallAggregator aggregator = beforeMySql;
        if (aggregator == null) {
            Path home = Files.createDirectory(folder.resolve("mysql"));
            aggregator = new SmallAggregator(home, "mysql", server.port(), "", "1ms");
            beforeMySql = aggregator;
        }
        aggregator.forget();
        return aggregator;
    }

    @Test
    void upload_isAnsweredByItsHash() throws Exception {
        HttpServer upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            LongText taken = LongText.read(exchange.getRequestBody());
            byte[] told = taken.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, told.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(told);
            }
        });
        upstream.start();
        try (SmallAggregator aggregator =
                new SmallAggregator(own, "http", upstream.getAddress().getPort(), "")) {
            String production = upload(aggregator.production(), 1, aggregator.keepingUpWithRequests());
            assertThat(production).contains("length=" + LONG);
            aggregator.awaitRecorded(1);
            assertThat(upload(aggregator.debug(), 2, bytes -> {}))
                    .as("another body")
                    .startsWith("5");
            assertThat(upload(aggregator.debug(), 1, bytes -> {})).isEqualTo(production);
        } finally {
            upstream.stop(0);
        }
    }

    private static String upload(String address, long seed, LongText.Progress progress) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + address + "/upload").toURL().openConnection();
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(LONG);
        try (OutputStream out = connection.getOutputStream()) {
            LongText.write(out, LONG, seed, progress);
        }
        int status = connection.getResponseCode();
        if (status != 200) {
            return String.valueOf(status);
        }
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void copyFromStdin_isAnsweredByItsHash() throws Exception {
        SmallAggregator aggregator = postgres();
        try (Connection direct = PostgresProgram.direct();
                Statement statement = direct.createStatement()) {
            statement.execute("drop table if exists taken");
            statement.execute("create table taken (data text)");
            // Nothing is kept of what comes, which the answer doesn't depend on.
            statement.execute("create or replace function nothing() returns trigger language plpgsql "
                    + "as 'begin return null; end'");
            statement.execute("create trigger nothing before insert on taken for each row execute function nothing()");
        }
        assertThat(copy(aggregator.production(), 'a', aggregator.keepingUpWithRequests()))
                .isZero();
        aggregator.awaitRecordedAndClosed(2);
        assertThat(copy(aggregator.debug(), 'a', bytes -> {})).isZero();
        assertThat(aggregator.missed()).isZero();
    }

    @Test
    void postgresParameter_isAnsweredByItsHash() throws Exception {
        long bytes = 48L << 20;
        SmallAggregator aggregator = postgres();
        int real;
        try (Connection production = postgres(aggregator.production())) {
            real = length(production, bytes, 1, aggregator.keepingUpWithRequests());
        }
        aggregator.awaitRecordedAndClosed(1);
        try (Connection debug = postgres(aggregator.debug())) {
            assertThatThrownBy(() -> length(debug, bytes, 2, some -> {})).hasMessageContaining("understudy");
            assertThat(length(debug, bytes, 1, some -> {})).isEqualTo(real).isEqualTo((int) bytes);
        }
    }

    private static int length(Connection connection, long bytes, int seed, LongText.Progress progress)
            throws Exception {
        try (PreparedStatement statement = connection.prepareStatement("select length(?), ?")) {
            statement.setBinaryStream(1, stream(bytes, seed, progress), bytes);
            statement.setInt(2, 5);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static Connection postgres(String address) throws Exception {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + address + "/postgres?sslmode=disable", "postgres", "postgres");
    }

    private static long copy(String address, char filling, LongText.Progress progress) throws Exception {
        byte[] row = (String.valueOf(filling).repeat(65_535) + "\n").getBytes(StandardCharsets.US_ASCII);
        try (Connection connection = postgres(address)) {
            CopyIn copy = new CopyManager(connection.unwrap(BaseConnection.class)).copyIn("copy taken from stdin");
            for (long at = 0; at < LONG; at += row.length) {
                copy.writeToCopy(row, 0, row.length);
                progress.written(at);
            }
            return copy.endCopy();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mariadb, '', 17",
        "mariadb, '&useServerPrepStmts=true', 3",
        "mysql, '&allowPublicKeyRetrieval=true', 3",
        "mysql, '&allowPublicKeyRetrieval=true&useServerPrepStmts=true', 48"
    })
    void mySqlParameter_isAnsweredByItsHash(String driver, String properties, int mebibytes) throws Exception {
        MariaDbServer server = MariaDbServer.get();
        prepare(server);
        long bytes = (long) mebibytes << 20;
        SmallAggregator aggregator = mySql(server);
        try (Connection production = mySql(driver, aggregator.production(), properties)) {
            // The other ways, the driver sends nothing until it has all of it.
            boolean streamed = mebibytes > 20;
            insert(production, bytes, 1, streamed ? aggregator.keepingUpWithRequests() : some -> {});
        }
        aggregator.awaitRecordedAndClosed(1);
        try (Connection debug = mySql(driver, aggregator.debug(), properties)) {
            assertThatThrownBy(() -> insert(debug, bytes, 2, some -> {})).hasMessageContaining("understudy");
        }
        try (Connection debug = mySql(driver, aggregator.debug(), properties)) {
            insert(debug, bytes, 1, some -> {});
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mariadb, ''",
        "mariadb, '&useServerPrepStmts=true'",
        "mysql, '&allowPublicKeyRetrieval=true'",
        "mysql, '&allowPublicKeyRetrieval=true&useServerPrepStmts=true'"
    })
    void mySqlStatement_isAnsweredByItsHash(String driver, String properties) throws Exception {
        MariaDbServer server = MariaDbServer.get();
        prepare(server);
        String text = "x".repeat(3 << 20);
        SmallAggregator aggregator = mySql(server);
        try (Connection production = mySql(driver, aggregator.production(), properties)) {
            statements(production, text + 1);
        }
        aggregator.awaitRecordedAndClosed(2);
        try (Connection debug = mySql(driver, aggregator.debug(), properties)) {
            assertThatThrownBy(() -> statements(debug, text + 2)).hasMessageContaining("understudy");
        }
        try (Connection debug = mySql(driver, aggregator.debug(), properties)) {
            statements(debug, text + 1);
        }
        assertThat(aggregator.status()).doesNotContain("TOO_LARGE");
    }

    private static void statements(Connection connection, String text) throws Exception {
        try (PreparedStatement statement = connection.prepareStatement("SELECT LENGTH('" + text + "'), ?")) {
            statement.setInt(1, 5);
            try (ResultSet row = statement.executeQuery()) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isEqualTo(text.length());
                assertThat(row.getInt(2)).isEqualTo(5);
            }
        }
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM sizes WHERE bytes = LENGTH('" + text + "') + ?")) {
            statement.setInt(1, 5);
            assertThat(statement.executeUpdate()).isZero();
        }
    }

    @Test
    void fileOfTheClient_isCounted_andTheConnectionGoesOn() throws Exception {
        MariaDbServer server = MariaDbServer.get();
        prepare(server);
        Path file = own.resolve("rows");
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write("1\n".repeat(1_500_000).getBytes(StandardCharsets.US_ASCII));
        }
        String allowed = "&allowLocalInfile=true";
        try (SmallAggregator aggregator = new SmallAggregator(own, "mysql", server.port(), "");
                Connection production = mySql("mariadb", aggregator.production(), allowed);
                Statement statement = production.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE loaded (n INT)");
            statement.execute("LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE loaded");
            statement.execute("SELECT COUNT(*) FROM loaded");
            Eventually.await(() -> aggregator.status().contains("\"BULK_COPY\":1"));
            Eventually.await(() -> aggregator.number("exchanges") == 2);
            assertThat(aggregator.status()).doesNotContain("TOO_LARGE");
        }
    }

    private static void prepare(MariaDbServer server) throws Exception {
        try (Connection direct = server.direct();
                Statement statement = direct.createStatement()) {
            statement.execute("SET GLOBAL max_allowed_packet = 1073741824; SET GLOBAL local_infile = 1;"
                    + "CREATE TABLE IF NOT EXISTS app.sizes (bytes BIGINT)");
        }
    }

    private static Connection mySql(String driver, String address, String properties) throws Exception {
        String ssl = driver.equals("mysql") ? "?sslMode=DISABLED" : "?sslMode=disable";
        return DriverManager.getConnection(
                "jdbc:" + driver + "://" + address + "/app" + ssl + properties, "app", "secret");
    }

    private static void insert(Connection connection, long bytes, int seed, LongText.Progress progress)
            throws Exception {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO sizes VALUES (LENGTH(?))")) {
            statement.setBinaryStream(1, stream(bytes, seed, progress), bytes);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    /** So many bytes that differ by their seed. */
    private static InputStream stream(long bytes, int seed, LongText.Progress progress) {
        return new InputStream() {
            private long at;

            @Override
            public int read() {
                return at == bytes ? -1 : (int) (((at++ * seed) >>> 8) & 0xff);
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                progress.written(at);
                int some = (int) Math.min(most, bytes - at);
                for (int i = 0; i < some; i++) {
                    into[from + i] = (byte) ((at++ * seed) >>> 8);
                }
                return some == 0 && most > 0 ? -1 : some;
            }
        };
    }
}
