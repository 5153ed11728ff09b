package dev.understudy.it.fidelity.sql;

import dev.understudy.it.fidelity.Transcript;
import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Functions, procedures, and what a server says besides its answers. */
final class Calls {
    private Calls() {}

    static void addTo(Map<String, Work> works) {
        works.put("callable function", Calls::function);
        works.put("function with rows", connection -> Reads.query(connection, "SELECT * FROM cheap(4)"));
        works.put("function with a cursor", Calls::cursor);
        works.put("procedure", Calls::procedure);
        works.put("notices", Calls::notices);
        works.put("anonymous block", connection -> Writes.count(connection, "DO $$ BEGIN PERFORM 1; END $$"));
        works.put("notification of oneself", Calls::notification);
        works.put(
                "sequence",
                connection ->
                        Reads.query(connection, "SELECT nextval('items_id_seq') > 0, currval('items_id_seq') > 500"));
        works.put("client info and application name", Calls::clientInfo);
        works.put(
                "comments and odd white space",
                connection -> Reads.query(connection, "/* a */ SELECT -- b\n  1 /* c */ AS   one"));
    }

    private static String function(Connection connection) throws SQLException {
        try (CallableStatement call = connection.prepareCall("{ ? = call twice(?) }")) {
            call.registerOutParameter(1, Types.INTEGER);
            call.setInt(2, 21);
            call.execute();
            return "" + call.getInt(1);
        }
    }

    private static String cursor(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (CallableStatement call = connection.prepareCall("{ ? = call opened() }")) {
            call.registerOutParameter(1, Types.REF_CURSOR);
            call.execute();
            try (ResultSet rows = call.getObject(1, ResultSet.class)) {
                return Rows.all(rows);
            }
        } finally {
            connection.rollback();
        }
    }

    private static String procedure(Connection connection) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("CALL raise(?, ?)")) {
            call.setBigDecimal(1, BigDecimal.ONE);
            call.setInt(2, 0);
            return Rows.all(call.executeQuery());
        }
    }

    private static String notices(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            StringBuilder said = new StringBuilder(Rows.of(statement, "SELECT loud('this')"));
            for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                said.append(warning.getSQLState()).append(warning.getMessage()).append('\n');
            }
            return said.toString();
        }
    }

    private static String notification(Connection connection) throws SQLException {
        Writes.count(connection, "LISTEN news");
        Writes.count(connection, "NOTIFY news, 'heard'");
        PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications(2_000);
        if (heard == null || heard.length == 0) {
            throw new SQLTimeoutException(Transcript.SILENCE);
        }
        return heard[0].getName() + heard[0].getParameter();
    }

    private static String clientInfo(Connection connection) throws SQLException {
        connection.setClientInfo("ApplicationName", "fidelity");
        return Reads.query(connection, "SHOW application_name") + connection.getClientInfo("ApplicationName");
    }
}
