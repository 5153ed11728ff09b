package dev.understudy.it.system;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A service: a price of an HTTP upstream and a fee from Redis, summed up; with {@code defect} one more. It asks for
 * prices below {@code version}, and adds a number that is another one each time. Without upstreams it knows a price.
 */
final class QuoteJvm {
    private static final String PRICES = System.getProperty("prices", "");
    private static final String[] CACHE = System.getProperty("cache", "").split(":");
    private static final boolean DEFECT = Boolean.getBoolean("defect");
    private static final String VERSION = System.getProperty("version", "");

    private QuoteJvm() {}

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            int total = (PRICES.isEmpty() ? 1250 : price(path) + fee(path)) + (DEFECT ? 1 : 0);
            byte[] body = ("{\"total\": " + total + ", \"took\": " + System.nanoTime() + "}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    /** Nothing, where there is no price to be had. */
    private static int price(String path) {
        try (InputStream in =
                URI.create("http://" + PRICES + VERSION + path).toURL().openStream()) {
            return Integer.parseInt(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException none) {
            return 0;
        }
    }

    private static int fee(String path) throws IOException {
        try (Socket socket = new Socket(CACHE[0], Integer.parseInt(CACHE[1]))) {
            String command = "*2\r\n$6\r\nSTRLEN\r\n$" + path.length() + "\r\n" + path + "\r\n";
            socket.getOutputStream().write(command.getBytes(StandardCharsets.UTF_8));
            StringBuilder reply = new StringBuilder();
            for (int octet = socket.getInputStream().read();
                    octet > '\r';
                    octet = socket.getInputStream().read()) {
                reply.append((char) octet);
            }
            return reply.charAt(0) == ':' ? Integer.parseInt(reply.substring(1)) : -1;
        }
    }
}
