import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import org.hsqldb.jdbc.JDBCPool;

/** An address book that is asked for people by name, however that is written, and that is told of calls to them. */
public final class Server {
    private static final String[] NAMES = {"Anna", "Bernd", "Clara", "Detlef", "Erika", "Friedrich", "Gudrun"};
    private static final JDBCPool POOL = new JDBCPool(4);

    public static void main(String[] arguments) throws Exception {
        POOL.setUrl("jdbc:hsqldb:mem:addresses");
        POOL.setUser("SA");
        POOL.setPassword("");
        try (Connection connection = POOL.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE PEOPLE(ID INT PRIMARY KEY, NAME VARCHAR(30) COLLATE \"English 0\","
                    + " TOWN VARCHAR(30), CALLS INT)");
            statement.execute("CREATE INDEX PEOPLE_NAME ON PEOPLE(NAME)");
            for (int i = 1; i <= 90; i++) {
                statement.execute("INSERT INTO PEOPLE VALUES(" + i + ", '" + NAMES[i % NAMES.length] + " " + i
                        + "', 'Town " + i % 9 + "', 0)");
            }
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/people/", exchange -> answer(
                exchange, "SELECT NAME, TOWN, CALLS FROM PEOPLE WHERE ID = CAST(? AS INT)", ""));
        server.createContext("/named/", exchange -> answer(
                exchange, "SELECT NAME, TOWN, CALLS FROM PEOPLE WHERE NAME = ?", ""));
        server.createContext("/beginning/", exchange -> answer(
                exchange, "SELECT NAME, TOWN, CALLS FROM PEOPLE WHERE NAME LIKE ?"
                        + " ORDER BY CALLS DESC, NAME LIMIT 5", "%"));
        server.createContext("/towns/", exchange -> answer(
                exchange, "SELECT TOWN, COUNT(*), SUM(CALLS) FROM PEOPLE WHERE TOWN LIKE ? GROUP BY TOWN", "%"));
        server.createContext("/calls/", Server::call);
        server.start();
    }

    private static void answer(HttpExchange exchange, String query, String rest) throws IOException {
        StringBuilder rows = new StringBuilder();
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, last(exchange) + rest);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.append(found.getString(1)).append(", ").append(found.getString(2)).append(", ")
                            .append(found.getInt(3)).append('\n');
                }
            }
            reply(exchange, rows.length() == 0 ? 404 : 200, rows.toString());
        } catch (SQLException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static void call(HttpExchange exchange) throws IOException {
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("UPDATE PEOPLE SET CALLS = CALLS + 1 WHERE ID = ?")) {
            statement.setInt(1, Integer.parseInt(last(exchange)));
            reply(exchange, statement.executeUpdate() == 0 ? 404 : 200, "called");
        } catch (SQLException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static String last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
