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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import org.h2.jdbcx.JdbcConnectionPool;

/** Tells what lies in a warehouse, by article, by hall or by the places that a picker stands before. */
public final class Server {
    private static final JdbcConnectionPool POOL =
            JdbcConnectionPool.create("jdbc:h2:mem:warehouse;DB_CLOSE_DELAY=-1", "sa", "");

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = POOL.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ARTICLES(ID INT PRIMARY KEY, NAME VARCHAR(20))");
            statement.execute("CREATE TABLE STOCK(ID INT PRIMARY KEY, ARTICLE INT, AMOUNT INT, HALL INT, SHELF INT)");
            statement.execute("CREATE INDEX STOCK_ARTICLE ON STOCK(ARTICLE)");
            statement.execute("CREATE INDEX STOCK_PLACE ON STOCK(HALL, SHELF)");
            statement.execute("INSERT INTO ARTICLES SELECT N, 'article ' || N FROM SYSTEM_RANGE(1, 60) AS R(N)");
            statement.execute("INSERT INTO STOCK SELECT N, 1 + MOD(N * 7, 60), N * 11, 1 + MOD(N, 9), 1 + N / 9"
                    + " FROM SYSTEM_RANGE(0, 404) AS R(N)");
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/articles/", exchange -> answer(
                exchange, "SELECT A.NAME, SUM(S.AMOUNT) FROM ARTICLES A JOIN STOCK S ON S.ARTICLE = A.ID"
                        + " WHERE A.ID IN (*) GROUP BY A.NAME ORDER BY A.NAME", "?"));
        server.createContext("/halls/", exchange -> answer(
                exchange, "SELECT A.NAME, S.SHELF, S.AMOUNT FROM STOCK S JOIN ARTICLES A ON A.ID = S.ARTICLE"
                        + " WHERE S.HALL IN (*) ORDER BY S.SHELF, A.NAME FETCH FIRST 20 ROWS ONLY", "?"));
        server.createContext("/amounts/", exchange -> answer(
                exchange, "SELECT HALL, SHELF, SUM(AMOUNT) FROM STOCK WHERE (HALL, SHELF) IN (*)"
                        + " GROUP BY HALL, SHELF ORDER BY HALL, SHELF", "(?, ?)"));
        server.createContext("/places/", exchange -> answer(
                exchange, "SELECT A.NAME, S.AMOUNT FROM STOCK S JOIN ARTICLES A ON A.ID = S.ARTICLE"
                        + " WHERE (S.HALL, S.SHELF) IN (*) ORDER BY A.NAME", "(?, ?)"));
        server.createContext("/taken/", Server::taken);
        server.start();
    }

    private static void answer(HttpExchange exchange, String query, String one) throws IOException {
        List<Integer> numbers = numbers(exchange);
        int each = one.length() == 1 ? 1 : 2;
        String list = String.join(", ", Collections.nCopies(numbers.size() / each, one));
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(query.replace("IN (*)", "IN (" + list + ")"))) {
            for (int i = 0; i < numbers.size(); i++) {
                statement.setInt(i + 1, numbers.get(i));
            }
            StringBuilder rows = new StringBuilder();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.append(line(found)).append('\n');
                }
            }
            reply(exchange, 200, rows.toString());
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

    private static void taken(HttpExchange exchange) throws IOException {
        List<Integer> place = numbers(exchange);
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "UPDATE STOCK SET AMOUNT = GREATEST(AMOUNT - 1, 0) WHERE HALL = ? AND SHELF = ?")) {
            statement.setInt(1, place.get(0));
            statement.setInt(2, place.get(1));
            reply(exchange, statement.executeUpdate() == 0 ? 404 : 200, "taken");
        } catch (SQLException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static List<Integer> numbers(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        List<Integer> numbers = new ArrayList<>();
        for (String each : path.substring(path.lastIndexOf('/') + 1).split("[.,]")) {
            numbers.add(Integer.valueOf(each));
        }
        return numbers;
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
