package dev.understudy.it.steer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A till: {@code /sale/tea/3} rings up three of an article, and {@code /drawer} says what it took. */
final class Till {
    private static final Drawer DRAWER = new Drawer();

    private Till() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/sale/", Till::sell);
        server.createContext("/drawer", exchange -> answer(exchange, "{\"drawer\":\"" + DRAWER.counted() + "\"}"));
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void sell(HttpExchange exchange) throws IOException {
        String[] parts = exchange.getRequestURI().getPath().split("/", -1);
        int cents = Tariff.price(parts[2], Integer.parseInt(parts[3]));
        DRAWER.take(cents);
        answer(exchange, "{\"article\":\"" + parts[2] + "\",\"cents\":" + cents + "}");
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
