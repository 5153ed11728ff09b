package dev.understudy.it.bench.standin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A service of six threads that computes and waits: a quote is hashed many times, and a sleep stands for its database.
 * Its own process.
 */
public final class QuoteServer {
    private static final int THREADS = 6;
    private static final double WAIT_MILLIS = 5;

    private QuoteServer() {}

    /** Listens on the port that is its first argument. */
    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 1024);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/quotes", QuoteServer::quotes);
        server.createContext("/search", QuoteServer::search);
        server.start();
    }

    private static void quotes(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] asked = exchange.getRequestBody().readAllBytes();
            boolean made = asked.length > 0;
            String path = exchange.getRequestURI().getPath();
            boolean missing = !made && path.endsWith("7");
            String hash = hashed(path, made ? 1500 : 700);
            pause(path.hashCode() + System.nanoTime());
            send(
                    exchange,
                    missing ? 404 : made ? 201 : 200,
                    missing
                            ? "{\"error\":\"no such quote\"}"
                            : "{\"id\":\"" + hash.substring(0, 12) + "\",\"total\":"
                                    + Math.floorMod(path.hashCode(), 9000) / 100.0 + ",\"lines\":[{\"sku\":\""
                                    + hash.substring(12, 20) + "\",\"pieces\":2}]}");
        }
    }

    private static void search(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            StringBuilder found = new StringBuilder("[");
            String hash = hashed(exchange.getRequestURI().toString(), 300);
            for (int i = 0; i < 20; i++) {
                found.append(i == 0 ? "" : ",")
                        .append(String.format(
                                Locale.ROOT, "{\"id\":%d,\"name\":\"%s\"}", i * 37, hash.substring(i, i + 10)));
            }
            send(exchange, 200, found + "]");
        }
    }

    private static void pause(long seed) {
        try {
            TimeUnit.NANOSECONDS.sleep((long) (WAIT_MILLIS * 1e6 * Math.exp(0.5 * new Random(seed).nextGaussian())));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static String hashed(String text, int times) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < times; i++) {
                bytes = digest.digest(bytes);
            }
            return HexFormat.of().formatHex(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
