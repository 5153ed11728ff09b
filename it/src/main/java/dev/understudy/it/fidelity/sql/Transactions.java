package dev.understudy.it.fidelity.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Map;

/** Commit, rollback, isolation, and what a failed transaction still takes. */
final class Transactions {
    private Transactions() {}

    static void addTo(Map<String, Work> works) {
        works.put("commit", connection -> ended(connection, "committed", true));
        works.put("rollback", connection -> ended(connection, "rolled back", false));
        works.put("savepoints", Transactions::savepoints);
        works.put("failed transaction", Transactions::failed);
        works.put("failed transaction, back to a savepoint", Transactions::mended);
        works.put("commit of a failed transaction", Transactions::failedCommit);
        works.put("deferred constraint", Transactions::deferred);
        works.put("read only", Transactions::readOnly);
        works.put(
                "isolation read committed", connection -> isolation(connection, Connection.TRANSACTION_READ_COMMITTED));
        works.put(
                "isolation repeatable read",
                connection -> isolation(connection, Connection.TRANSACTION_REPEATABLE_READ));
        works.put("isolation serializable", connection -> isolation(connection, Connection.TRANSACTION_SERIALIZABLE));
        works.put("time stands still in a transaction", Transactions::time);
        works.put("cursor in SQL", Transactions::cursor);
        works.put("prepared in SQL", Transactions::prepared);
        works.put("two-phase commit", Transactions::twoPhase);
        works.put(
                "advisory lock",
                connection -> Reads.query(connection, "SELECT pg_try_advisory_lock(7), pg_advisory_unlock(7)"));
        works.put("set local", Transactions::setLocal);
    }

    static String ended(Connection connection, String name, boolean commit) throws SQLException {
        connection.setAutoCommit(false);
        String said = Writes.count(connection, "INSERT INTO items (name) VALUES ('" + name + "')");
        if (commit) {
            connection.commit();
        } else {
            connection.rollback();
        }
        said += Reads.query(connection, "SELECT count(*) FROM items WHERE name = '" + name + "'");
        connection.commit();
        return said;
    }

    private static String savepoints(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Writes.count(connection, "INSERT INTO items (name) VALUES ('kept')");
        Savepoint first = connection.setSavepoint("first");
        Writes.count(connection, "INSERT INTO items (name) VALUES ('dropped')");
        Savepoint second = connection.setSavepoint();
        Writes.count(connection, "INSERT INTO items (name) VALUES ('released')");
        connection.releaseSavepoint(second);
        String before = Reads.query(
                connection, "SELECT name FROM items WHERE name IN ('kept', 'dropped', 'released') ORDER BY name");
        connection.rollback(first);
        connection.commit();
        return before
                + Reads.query(
                        connection,
                        "SELECT name FROM items WHERE name IN ('kept', 'dropped', 'released') ORDER BY name");
    }

    private static String failed(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        String said = refused(connection, "INSERT INTO items (name) VALUES ('item 1')");
        said += refused(connection, "SELECT 1 FROM items");
        connection.rollback();
        return said + Reads.query(connection, "SELECT count(*) FROM items WHERE name = 'item 1'");
    }

    private static String mended(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Savepoint before = connection.setSavepoint();
        String said = refused(connection, "SELECT 1 / 0 AS mended");
        connection.rollback(before);
        said += Writes.count(connection, "UPDATE items SET price = 8 WHERE id = 8");
        connection.commit();
        return said;
    }

    private static String failedCommit(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        String said = refused(connection, "SELECT 2 / 0 AS committed");
        connection.commit();
        return said;
    }

    private static String deferred(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        String said = Writes.count(connection, "INSERT INTO late VALUES (1), (1)");
        connection.commit();
        return said;
    }

    private static String readOnly(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        String said = Reads.query(connection, "SELECT count(*) FROM items WHERE id < 5");
        said += refused(connection, "UPDATE items SET price = 1 WHERE id = 1");
        connection.rollback();
        return said;
    }

    private static String isolation(Connection connection, int level) throws SQLException {
        connection.setTransactionIsolation(level);
        connection.setAutoCommit(false);
        String said = Reads.query(connection, "SHOW transaction_isolation")
                + connection.getTransactionIsolation()
                + Reads.query(connection, "SELECT price FROM items WHERE id = 9");
        connection.commit();
        return said;
    }

    private static String time(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        String first = Reads.query(connection, "SELECT now() AS at");
        String second = Reads.query(connection, "SELECT now() AS at");
        connection.commit();
        return first.equals(second) + first;
    }

    private static String cursor(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Writes.count(connection, "DECLARE mine SCROLL CURSOR FOR SELECT id FROM items WHERE id < 30 ORDER BY id");
        String said = Reads.query(connection, "FETCH 5 FROM mine")
                + Reads.query(connection, "FETCH 5 FROM mine")
                + Reads.query(connection, "FETCH PRIOR FROM mine");
        Writes.count(connection, "CLOSE mine");
        connection.commit();
        return said;
    }

    private static String prepared(Connection connection) throws SQLException {
        Writes.count(connection, "PREPARE mine (int) AS SELECT name FROM items WHERE id = $1");
        return Reads.query(connection, "EXECUTE mine (11)")
                + Reads.query(connection, "EXECUTE mine (12)")
                + Writes.count(connection, "DEALLOCATE mine");
    }

    private static String twoPhase(Connection connection) throws SQLException {
        return Writes.count(connection, "BEGIN")
                + Writes.count(connection, "UPDATE items SET price = 13 WHERE id = 13")
                + Writes.count(connection, "PREPARE TRANSACTION 'two'")
                + Writes.count(connection, "COMMIT PREPARED 'two'")
                + Reads.query(connection, "SELECT price FROM items WHERE id = 13");
    }

    private static String setLocal(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Writes.count(connection, "SET LOCAL TIME ZONE 'Asia/Tokyo'");
        String said = Reads.query(connection, "SELECT '2024-01-01 00:00:00+00'::timestamptz::text");
        connection.commit();
        return said + Reads.query(connection, "SELECT '2024-01-01 00:00:00+00'::timestamptz::text");
    }

    /** An error that is wanted; one of the aggregator's own ends the work. */
    private static String refused(Connection connection, String sql) throws SQLException {
        try {
            return Reads.query(connection, sql);
        } catch (SQLException refused) {
            if (String.valueOf(refused.getSQLState()).startsWith("UD")) {
                throw refused;
            }
            return refused.getSQLState() + " " + refused.getMessage() + "\n";
        }
    }
}
