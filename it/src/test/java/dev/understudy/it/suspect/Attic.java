package dev.understudy.it.suspect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * A small attic: {@code /keep/7} puts a box there, {@code /weigh/7} makes one that is thrown away.
 *
 * <p>Its bug: what is kept is never taken down again. Every request is answered well.
 */
final class Attic {
    private static final List<Box> KEPT = new ArrayList<>();

    private Attic() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newSingleThreadExecutor());
        server.createContext("/", Attic::serve);
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int number = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
        int grams = path.startsWith("/keep/") ? keep(number) : weigh(number);
        byte[] body = (grams + " g").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    static int keep(int number) {
        Box box = packed(number);
        KEPT.add(box);
        return box.grams();
    }

    static Box packed(int number) {
        return new Box(number);
    }

    static int weigh(int number) {
        return new Box(number).grams();
    }

    /** Something to keep. */
    static final class Box {
        private final int number;

        Box(int number) {
            this.number = number;
        }

        int grams() {
            int grams = 100;
            for (int i = 0; i < number % 7; i++) {
                grams += 10 * i;
            }
            return grams;
        }
    }
}
