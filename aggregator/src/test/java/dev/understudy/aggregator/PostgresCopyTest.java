package dev.understudy.aggregator;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** COPY in both directions, with the real driver's own interface for it. */
@Tag("process")
class PostgresCopyTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
        PostgresSides.direct("DROP TABLE IF EXISTS goods", "CREATE TABLE goods (id int PRIMARY KEY, name text)");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void textAndCsv_goInAndComeOut() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            CopyManager copy = copy(connection);
            List<String> seen = new ArrayList<>();
            seen.add("" + copy.copyIn("COPY goods FROM STDIN", new StringReader("1\tone\n2\ttwo\n")));
            seen.add("" + copy.copyIn("COPY goods FROM STDIN (FORMAT csv)", new StringReader("3,\"a,b\"\n4,\n")));
            for (String how : List.of("", " (FORMAT csv, HEADER)")) {
                StringWriter out = new StringWriter();
                seen.add("" + copy.copyOut("COPY (SELECT * FROM goods ORDER BY id) TO STDOUT" + how, out));
                seen.add(out.toString());
            }
            seen.addAll(count(connection));
            return seen;
        });
        assertThat(PostgresSides.directNumber("SELECT count(*) FROM goods")).isEqualTo(4);
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0", "\"unused\":0", "\"unframed\":{}");
    }

    @Test
    void binary_goesOutAndIn() throws Exception {
        PostgresSides.direct(
                "INSERT INTO goods SELECT i, 'good ' || i FROM generate_series(1, 500) i",
                "DROP TABLE IF EXISTS others",
                "CREATE TABLE others (LIKE goods)");
        sides.sameOnBothSides("", "", connection -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            copy(connection).copyOut("COPY goods TO STDOUT (FORMAT binary)", out);
            long in = copy(connection)
                    .copyIn("COPY others FROM STDIN (FORMAT binary)", new ByteArrayInputStream(out.toByteArray()));
            return List.of(HexFormat.of().formatHex(out.toByteArray()), "" + in);
        });
    }

    @Test
    void errors_comeBack_whereverTheyHappen() throws Exception {
        PostgresSides.direct("INSERT INTO goods VALUES (1, 'one')");
        sides.sameOnBothSides("", "", connection -> {
            CopyManager copy = copy(connection);
            List<String> seen = new ArrayList<>();
            seen.addAll(failing(() -> copy.copyIn("COPY goods FROM STDIN", new StringReader("1\tagain\n"))));
            seen.addAll(failing(() -> copy.copyIn("COPY goods FROM STDIN", new StringReader("x\tno number\n"))));
            seen.addAll(failing(() -> copy.copyIn("COPY nowhere FROM STDIN", new StringReader("1\n"))));
            seen.addAll(failing(() -> copy.copyOut("COPY nowhere TO STDOUT", new StringWriter())));
            seen.addAll(failing(
                    () -> copy.copyOut("COPY (SELECT 1 / (3 - i) FROM generate_series(1, 9) i) TO STDOUT", out())));
            connection.setAutoCommit(false);
            seen.addAll(failing(() -> copy.copyIn("COPY goods FROM STDIN", new StringReader("1\tin a block\n"))));
            seen.addAll(failing(() -> count(connection)));
            connection.rollback();
            seen.addAll(count(connection));
            connection.commit();
            return seen;
        });
    }

    @Test
    void clientThatGivesUp_getsTheServersWords() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            CopyIn in = copy(connection).copyIn("COPY goods FROM STDIN");
            byte[] row = "1\tone\n".getBytes(StandardCharsets.UTF_8);
            in.writeToCopy(row, 0, row.length);
            in.cancelCopy();
            List<String> seen = new ArrayList<>(count(connection));
            CopyOut out = copy(connection).copyOut("COPY goods TO STDOUT");
            seen.add("" + out.getFormat() + out.getFieldCount() + (out.readFromCopy() == null));
            return seen;
        });
    }

    @Test
    void extendedProtocol_hasTheSameAnswers() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            for (String sql : List.of("COPY goods FROM STDIN", "COPY goods TO STDOUT")) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    seen.addAll(failing(statement::execute));
                }
            }
            seen.addAll(count(connection));
            return seen;
        });
    }

    @Test
    void otherData_isAMiss_andReachesNobody() throws Exception {
        sides.close();
        sides = new PostgresSides("wait: 1ms");
        try (Connection production = sides.production("")) {
            copy(production).copyIn("COPY goods FROM STDIN", new StringReader("1\tone\n"));
            count(production);
        }
        sides.awaitRecorded();
        try (Connection debug = sides.debug("")) {
            assertThatThrownBy(() -> copy(debug).copyIn("COPY goods FROM STDIN", new StringReader("1\ttwo\n")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no recorded reply for: COPY goods FROM STDIN with 6 bytes")
                    .hasMessageContaining("nearest recorded: COPY goods FROM STDIN with 6 bytes");
            assertThat(count(debug)).containsExactly("count=1 ");
        }
        assertThat(PostgresSides.directNumber("SELECT count(*) FROM goods")).isEqualTo(1);
    }

    @Test
    void largeData_isHashedAndNotHeld_andALargeReplyWaitsForASlowReader() throws Exception {
        int rows = 60_000;
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            seen.add("" + copy(connection).copyIn("COPY goods FROM STDIN", rows(rows)));
            CopyOut out = copy(connection).copyOut("COPY (SELECT * FROM goods ORDER BY id LIMIT 30000) TO STDOUT");
            long bytes = 0;
            for (byte[] piece = out.readFromCopy(); piece != null; piece = out.readFromCopy()) {
                bytes += piece.length;
            }
            seen.add("" + bytes);
            return seen;
        });
        assertThat(PostgresSides.directNumber("SELECT count(*) FROM goods")).isEqualTo(rows);
    }

    /** A hundred bytes a row. */
    private static InputStream rows(int count) {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            rows.writeBytes("%d\t%s\n".formatted(i, "x".repeat(90)).getBytes(StandardCharsets.US_ASCII));
        }
        return new ByteArrayInputStream(rows.toByteArray());
    }

    /** What may fail. */
    @FunctionalInterface
    private interface Failing {
        void run() throws SQLException, IOException;
    }

    private static List<String> failing(Failing work) throws IOException {
        try {
            work.run();
            return List.of("done");
        } catch (SQLException e) {
            return PostgresSides.failure(e);
        }
    }

    private static OutputStream out() {
        return new ByteArrayOutputStream();
    }

    private static CopyManager copy(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }

    private static List<String> count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM goods")) {
            return PostgresSides.rows(rows);
        }
    }
}
