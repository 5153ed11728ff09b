import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import org.h2.api.ErrorCode;

/** An archive whose folders are shown to others as shares, of which it counts the readers, until a share is ended. */
public final class Server {
    private static final int FOLDERS = 3;

    private final Connection archive;

    private Server(Connection archive) {
        this.archive = archive;
    }

    public static void main(String[] arguments) throws Exception {
        Connection archive = DriverManager.getConnection("jdbc:h2:mem:archive;QUERY_CACHE_SIZE=50", "sa", "");
        try (Statement statement = archive.createStatement()) {
            for (int folder = 0; folder < FOLDERS; folder++) {
                statement.execute(
                        "CREATE TABLE FOLDER" + folder + "(ID INT PRIMARY KEY, TITLE VARCHAR(30), WORDS INT)");
                statement.execute("INSERT INTO FOLDER" + folder + " SELECT N, 'document ' || N, N * 37"
                        + " FROM SYSTEM_RANGE(1, 90) AS R(N) WHERE MOD(N, 3) = " + folder);
            }
            statement.execute("CREATE TABLE SHARES(ID INT PRIMARY KEY, READERS INT)");
        }
        Server server = new Server(archive);
        HttpServer http = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        http.setExecutor(Executors.newFixedThreadPool(4));
        http.createContext("/shares/", server::share);
        http.createContext("/documents/", server::document);
        http.createContext("/popular", server::popular);
        http.start();
    }

    private void share(HttpExchange exchange) throws IOException {
        int number = last(exchange);
        switch (exchange.getRequestMethod()) {
            case "PUT" -> answer(exchange, () -> begin(number));
            case "DELETE" -> answer(exchange, () -> end(number));
            default -> answer(exchange, () -> read(number));
        }
    }

    private void document(HttpExchange exchange) throws IOException {
        int number = last(exchange);
        String folder = "FOLDER" + number % FOLDERS;
        if (exchange.getRequestMethod().equals("PUT")) {
            answer(exchange, () -> lengthen(folder, number));
        } else {
            answer(exchange, () -> rows("SELECT TITLE, WORDS FROM " + folder + " WHERE ID = ?", number));
        }
    }

    private void popular(HttpExchange exchange) throws IOException {
        answer(exchange, () -> rows("SELECT ID, READERS FROM SHARES WHERE READERS >= ? ORDER BY READERS DESC, ID", 0));
    }

    private String begin(int number) throws SQLException {
        execute("CREATE SYNONYM IF NOT EXISTS SHARE" + number + " FOR FOLDER" + number % FOLDERS);
        update("MERGE INTO SHARES VALUES(?, 0)", number);
        return "shared";
    }

    private String end(int number) throws SQLException {
        execute("DROP SYNONYM IF EXISTS SHARE" + number);
        return update("DELETE FROM SHARES WHERE ID = ?", number) == 0 ? null : "ended";
    }

    private String read(int number) throws SQLException {
        String rows = rows("SELECT TITLE, WORDS FROM SHARE" + number + " WHERE WORDS > ? ORDER BY WORDS DESC", 1000);
        if (update("UPDATE SHARES SET READERS = READERS + 1 WHERE ID = ?", number) != 1) {
            throw new IllegalStateException("one read what isn't shared: " + number);
        }
        return rows;
    }

    private String lengthen(String folder, int number) throws SQLException {
        int changed = update("UPDATE " + folder + " SET WORDS = WORDS + 1 WHERE ID = ?", number);
        return changed == 0 ? null : "longer by a word";
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = archive.createStatement()) {
            statement.execute(command);
        }
    }

    private int update(String update, int parameter) throws SQLException {
        try (PreparedStatement statement = archive.prepareStatement(update)) {
            statement.setInt(1, parameter);
            return statement.executeUpdate();
        }
    }

    private String rows(String query, int parameter) throws SQLException {
        StringBuilder rows = new StringBuilder();
        try (PreparedStatement statement = archive.prepareStatement(query)) {
            statement.setInt(1, parameter);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.append(found.getString(1)).append(", ").append(found.getString(2)).append('\n');
                }
            }
        }
        return rows.toString();
    }

    private synchronized void answer(HttpExchange exchange, Action action) throws IOException {
        try {
            String answer = action.run();
            reply(exchange, answer == null ? 404 : 200, answer == null ? "there is none" : answer);
        } catch (SQLException problem) {
            boolean missing = problem.getErrorCode() == ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1;
            reply(exchange, missing ? 404 : 500, String.valueOf(problem.getMessage()));
        } catch (IllegalStateException problem) {
            reply(exchange, 500, problem.getMessage());
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

    /** What is done in the archive. */
    private interface Action {
        String run() throws SQLException;
    }
}
