package dev.understudy.aggregator;

import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

import static dev.understudy.aggregator.PostgresSides.rows;
import static org.assertj.core.api.Assertions.assertThat;

/** What people use of JDBC with PostgreSQL: the same calls give the same on both sides. */
@Tag("process")
class PostgresApiTest {
    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
        PostgresSides.direct(
                "DROP TABLE IF EXISTS items",
                "CREATE TABLE items (id int PRIMARY KEY, name text, tags text[])",
                "INSERT INTO items SELECT i, 'item ' || i, ARRAY['a', 'b' || i] FROM generate_series(1, 20) i");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void scrollableResults_areScrolledAndUpdated() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            try (Statement statement =
                            connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet rows = statement.executeQuery("SELECT id, name FROM items ORDER BY id")) {
                rows.last();
                seen.add(rows.getRow() + rows.getString(2));
                rows.absolute(3);
                seen.add(rows.getString(2));
                rows.relative(-1);
                rows.updateString(2, "changed");
                rows.updateRow();
                seen.add(rows.getString(2));
                rows.moveToInsertRow();
                rows.updateInt(1, 99);
                rows.updateString(2, "inserted");
                rows.insertRow();
                rows.first();
                rows.deleteRow();
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM items ORDER BY id")) {
                seen.addAll(rows(rows));
            }
            return seen;
        });
    }

    @Test
    void arrays_goInAndComeOut() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            Array ids = connection.createArrayOf("int4", new Integer[] {3, 5, 7});
            for (int i = 0; i < 8; i++) {
                try (PreparedStatement statement =
                        connection.prepareStatement("SELECT id, tags FROM items WHERE id = ANY (?) ORDER BY id")) {
                    statement.setArray(1, ids);
                    try (ResultSet rows = statement.executeQuery()) {
                        while (rows.next()) {
                            seen.add(rows.getInt(1)
                                    + Arrays.toString(
                                            (Object[]) rows.getArray(2).getArray()));
                        }
                    }
                }
            }
            return seen;
        });
    }

    @Test
    void callables_giveCursorsAndSeveralValues() throws Exception {
        PostgresSides.direct(
                "CREATE OR REPLACE FUNCTION some_items(int) RETURNS refcursor LANGUAGE plpgsql AS 'DECLARE c refcursor;"
                        + " BEGIN OPEN c FOR SELECT id, name FROM items WHERE id <= $1 ORDER BY id; RETURN c; END'",
                "CREATE OR REPLACE FUNCTION several(IN a int, OUT b int, OUT c text) "
                        + "LANGUAGE sql AS 'SELECT $1 + 1, $1::text'");
        sides.sameOnBothSides("", "", connection -> {
            connection.setAutoCommit(false);
            List<String> seen = new ArrayList<>();
            for (int count : new int[] {2, 4}) {
                try (CallableStatement call = connection.prepareCall("{? = call some_items(?)}")) {
                    call.registerOutParameter(1, Types.REF_CURSOR);
                    call.setInt(2, count);
                    call.execute();
                    try (ResultSet rows = call.getObject(1, ResultSet.class)) {
                        seen.addAll(rows(rows));
                    }
                }
            }
            try (CallableStatement call = connection.prepareCall("{call several(?, ?, ?)}")) {
                call.setInt(1, 41);
                call.registerOutParameter(2, Types.INTEGER);
                call.registerOutParameter(3, Types.VARCHAR);
                call.execute();
                seen.add(call.getInt(2) + call.getString(3));
            }
            connection.commit();
            return seen;
        });
    }

    @Test
    void severalResults_comeFromOneStatement() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT name FROM items WHERE id = ?; UPDATE items SET name = ? WHERE id "
                            + "= ?; SELECT count(*) FROM items")) {
                statement.setInt(1, 2);
                statement.setString(2, "two");
                statement.setInt(3, 2);
                boolean some = statement.execute();
                while (some || statement.getUpdateCount() != -1) {
                    seen.addAll(some ? rows(statement.getResultSet()) : List.of("" + statement.getUpdateCount()));
                    some = statement.getMoreResults();
                }
            }
            return seen;
        });
    }

    @Test
    void fetchSizeSavepointsAndIsolation_inOneTransaction() throws Exception {
        sides.sameOnBothSides("", "", connection -> {
            List<String> seen = new ArrayList<>();
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            seen.add("" + connection.getTransactionIsolation());
            try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM items ORDER BY id")) {
                statement.setFetchSize(7);
                try (ResultSet rows = statement.executeQuery()) {
                    seen.addAll(rows(rows));
                }
            }
            Savepoint before = connection.setSavepoint("before");
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO items VALUES (1, 'twice')");
            } catch (SQLException e) {
                seen.addAll(PostgresSides.failure(e));
            }
            connection.rollback(before);
            try (Statement statement = connection.createStatement()) {
                seen.add("" + statement.executeUpdate("INSERT INTO items VALUES (50, 'once')"));
            }
            connection.releaseSavepoint(before);
            connection.commit();
            connection.setReadOnly(true);
            seen.add("" + connection.isReadOnly());
            connection.commit();
            return seen;
        });
        assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
    }

    @Test
    void sqlCursorsOfOneName_areNotTakenForEachOther() throws Exception {
        assertCrossedTransactions((connection, which) -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("DECLARE c CURSOR FOR SELECT name FROM items WHERE id > " + which + " ORDER BY id");
                List<String> seen = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    try (ResultSet rows = statement.executeQuery("FETCH 2 FROM c")) {
                        seen.addAll(rows(rows));
                    }
                }
                return seen;
            }
        });
    }

    @Test
    void descriptorsOfLargeObjects_areNotTakenForEachOther() throws Exception {
        long[] ids = new long[10];
        try (Connection production = sides.production("")) {
            production.setAutoCommit(false);
            LargeObjectManager objects = production.unwrap(PGConnection.class).getLargeObjectAPI();
            for (int which : new int[] {3, 8}) {
                ids[which] = objects.createLO();
                try (LargeObject object = objects.open(ids[which], LargeObjectManager.WRITE)) {
                    object.write(("object " + which).getBytes(StandardCharsets.UTF_8));
                }
            }
            production.commit();
        }
        assertCrossedTransactions((connection, which) -> {
            LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
            try (LargeObject object = objects.open(ids[which], LargeObjectManager.READ)) {
                return List.of(new String(object.read(100), StandardCharsets.UTF_8));
            }
        });
    }

    /** Work in a transaction that depends on a number alone. */
    @FunctionalInterface
    private interface Numbered {
        List<String> on(Connection connection, int which) throws Exception;
    }

    /** Production does it with 3 and then with 8, debug the other way round; each has to see its own. */
    private void assertCrossedTransactions(Numbered work) throws Exception {
        List<String> three;
        List<String> eight;
        try (Connection production = sides.production("")) {
            production.setAutoCommit(false);
            three = work.on(production, 3);
            production.commit();
            eight = work.on(production, 8);
            production.commit();
        }
        assertThat(three).isNotEqualTo(eight);
        try (Connection debug = sides.debug("")) {
            debug.setAutoCommit(false);
            assertThat(work.on(debug, 8)).isEqualTo(eight);
            debug.commit();
            assertThat(work.on(debug, 3)).isEqualTo(three);
            debug.commit();
        }
    }
}
