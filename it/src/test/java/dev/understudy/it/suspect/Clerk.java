package dev.understudy.it.suspect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * A clerk who splits bills and prints labels: {@code /split/120/70} says what is paid when one of two pays 70 of 120,
 * {@code /label/some+text} prints a label.
 *
 * <p>It has two bugs. {@link Bills#paid} charges too much if the second pays more than the first,
 * {@link Labels#escaped} forgets angles. Both run in each exchange of their kind, take the same way, return what looks
 * the same, and throw nothing; a user notices status 500, since the sum is wrong or the label can't be printed. What
 * tells is that one number is larger than another, and what the method is called with.
 */
final class Clerk {
    private Clerk() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/split/", Clerk::split);
        server.createContext("/label/", Clerk::label);
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void split(HttpExchange exchange) throws IOException {
        String[] parts = exchange.getRequestURI().getPath().split("/", -1);
        int total = Integer.parseInt(parts[2]);
        int paid = Bills.paid(total, Integer.parseInt(parts[3]));
        answer(exchange, Bills.status(paid, total), "paid: " + paid);
    }

    private static void label(HttpExchange exchange) throws IOException {
        String label = Labels.escaped(exchange.getRequestURI().getPath().substring("/label/".length()));
        answer(exchange, Labels.status(label), label);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The first bug's. */
    static final class Bills {
        private Bills() {}

        static int paid(int total, int first) {
            int second = total - first;
            return first + second + second / (first + 1);
        }

        static int status(int paid, int total) {
            return paid == total ? 200 : 500;
        }
    }

    /** The second bug's. */
    static final class Labels {
        private Labels() {}

        static String escaped(String text) {
            return text.replace("&", "&amp;").replace("\"", "&quot;");
        }

        static int status(String label) {
            return label.indexOf('<') < 0 ? 200 : 500;
        }
    }
}
