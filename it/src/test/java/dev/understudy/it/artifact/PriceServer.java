package dev.understudy.it.artifact;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A service in a container: prices of a database, with a surcharge by the environment. */
final class PriceServer {
    static final int PORT = 8080;

    private PriceServer() {}

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(PORT), 0);
        int surcharge = Integer.parseInt(System.getenv("SURCHARGE"));
        server.createContext("/prices/7", exchange -> {
            byte[] body;
            int status = 200;
            try {
                body = ("{\"price\": " + (price() + surcharge) + "}").getBytes(StandardCharsets.UTF_8);
            } catch (SQLException failed) {
                body = String.valueOf(failed.getMessage()).getBytes(StandardCharsets.UTF_8);
                status = 500;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("prices at port " + PORT);
    }

    private static int price() throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://orders:5432/postgres", "postgres", "prompt-side");
                ResultSet row = connection.createStatement().executeQuery("SELECT price FROM prices WHERE id = 7")) {
            row.next();
            return row.getInt(1);
        }
    }
}
