package dev.understudy.it.session;

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

/**
 * A service whose state is in PostgreSQL, over one connection at a time, the first made at its start.
 * {@code /book?NAME} counts the bookings of that name. Its argument is a URL; it listens on {@code port}.
 */
public final class Bookings {
    private final String url;
    private Connection database;

    private Bookings(String url) throws SQLException {
        this.url = url;
        this.database = DriverManager.getConnection(url);
    }

    public static void main(String[] arguments) throws Exception {
        Bookings bookings = new Bookings(arguments[0]);
        try (Statement table = bookings.database.createStatement()) {
            table.execute("create table if not exists booking (id serial primary key, name text not null)");
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.createContext("/book", exchange -> {
            byte[] bytes = bookings.book(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    /** As a pool does, it takes another connection if its own is gone. */
    private synchronized String book(String name) throws IOException {
        try {
            return counted(name);
        } catch (SQLException cut) {
            try {
                database = DriverManager.getConnection(url);
                return counted(name);
            } catch (SQLException failed) {
                throw new IOException(failed);
            }
        }
    }

    private String counted(String name) throws SQLException {
        try (PreparedStatement insert = database.prepareStatement("insert into booking (name) values (?)");
                PreparedStatement count = database.prepareStatement("select count(*) from booking where name = ?")) {
            insert.setString(1, name);
            insert.executeUpdate();
            count.setString(1, name);
            try (ResultSet rows = count.executeQuery()) {
                rows.next();
                return name + " " + rows.getLong(1);
            }
        }
    }
}
