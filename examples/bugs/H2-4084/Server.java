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
import org.h2.jdbcx.JdbcConnectionPool;

/** A mailbox in a table, with the newest messages first for those who ask what came since they last looked. */
public final class Server {
    private static final JdbcConnectionPool POOL =
            JdbcConnectionPool.create("jdbc:h2:mem:mail;DB_CLOSE_DELAY=-1", "sa", "");

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = POOL.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE MESSAGES(ID INT PRIMARY KEY, SENDER VARCHAR(20), ARRIVED INT, SEEN INT)");
            statement.execute("CREATE INDEX MESSAGES_ARRIVED ON MESSAGES(ARRIVED)");
            statement.execute("INSERT INTO MESSAGES SELECT N, 'user ' || MOD(N, 9), N * 10, 0"
                    + " FROM SYSTEM_RANGE(1, 90) AS R(N)");
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/newest/since/", exchange -> answer(
                exchange, "SELECT ID, SENDER FROM MESSAGES WHERE ARRIVED >= ? ORDER BY ARRIVED DESC FETCH FIRST 5 ROWS ONLY"));
        server.createContext("/oldest/since/", exchange -> answer(
                exchange, "SELECT ID, SENDER FROM MESSAGES WHERE ARRIVED >= ? ORDER BY ARRIVED FETCH FIRST 5 ROWS ONLY"));
        server.createContext("/messages/", exchange -> answer(exchange, "SELECT ID, SENDER, SEEN FROM MESSAGES WHERE ID = ?"));
        server.createContext("/senders/", exchange -> answer(
                exchange, "SELECT SENDER, COUNT(*), MAX(ARRIVED) FROM MESSAGES WHERE ID > ? GROUP BY SENDER ORDER BY SENDER"));
        server.createContext("/seen/", Server::seen);
        server.start();
    }

    private static void answer(HttpExchange exchange, String query) throws IOException {
        StringBuilder rows = new StringBuilder();
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setInt(1, last(exchange));
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.append(line(found)).append('\n');
                }
            }
            reply(exchange, rows.length() == 0 ? 404 : 200, rows.toString());
        } catch (SQLException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static String line(ResultSet row) throws SQLException {
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            line.append(i == 1 ? "" : ", ").append(row.getString(i));
        }
        return line.toString();
    }

    private static void seen(HttpExchange exchange) throws IOException {
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("UPDATE MESSAGES SET SEEN = SEEN + 1 WHERE ID = ?")) {
            statement.setInt(1, last(exchange));
            reply(exchange, statement.executeUpdate() == 0 ? 404 : 200, "seen");
        } catch (SQLException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static int last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
