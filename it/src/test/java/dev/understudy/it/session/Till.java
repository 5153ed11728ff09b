package dev.understudy.it.session;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service with state in its memory only, and an upstream: {@code /put?K=V}, {@code /get?K}, {@code /sold} (counts),
 * {@code /stock?K} (counts in Redis, over a connection of its own), {@code /look?K} (reads that, over one that is
 * always open), and {@code /note?TEXT} (adds it to the file {@code notes}). At its start it counts
 * that in Redis: {@code /starts}. Without Redis it has no upstream. It listens on {@code port}, or on any.
 */
public final class Till {
    private static final Map<String, String> CACHE = new ConcurrentHashMap<>();
    private static final AtomicLong SOLD = new AtomicLong();

    private Till() {}

    public static void main(String[] arguments) throws IOException {
        int redis = Integer.getInteger("redis", 0);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(System.getProperty("bind", "127.0.0.1"), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/put", exchange -> {
            String[] entry = exchange.getRequestURI().getQuery().split("=", 2);
            reply(exchange, "was " + CACHE.put(entry[0], entry[1]));
        });
        server.createContext(
                "/get",
                exchange -> reply(
                        exchange, CACHE.getOrDefault(exchange.getRequestURI().getQuery(), "none")));
        server.createContext("/sold", exchange -> reply(exchange, "sold " + SOLD.incrementAndGet()));
        server.createContext(
                "/stock",
                exchange -> reply(
                        exchange, increment(redis, exchange.getRequestURI().getQuery())));
        Path notes = Path.of(System.getProperty("notes", "/dev/null"));
        server.createContext("/note", exchange -> {
            byte[] text = exchange.getRequestURI().getQuery().getBytes(StandardCharsets.UTF_8);
            Files.write(notes, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            reply(exchange, "noted");
        });
        String starts = redis == 0 ? "none" : increment(redis, "starts");
        server.createContext("/starts", exchange -> reply(exchange, starts));
        Socket idle = redis == 0 ? new Socket() : new Socket(System.getProperty("redis.host", "127.0.0.1"), redis);
        server.createContext(
                "/look",
                exchange -> reply(exchange, look(idle, exchange.getRequestURI().getQuery())));
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(idle)));
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // it ends anyway
        }
    }

    private static String increment(int redis, String key) throws IOException {
        try (Socket socket = new Socket(System.getProperty("redis.host", "127.0.0.1"), redis)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(("INCR " + key + "\r\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    private static synchronized String look(Socket open, String key) throws IOException {
        open.setSoTimeout(20_000);
        open.getOutputStream().write(("GET " + key + "\r\n").getBytes(StandardCharsets.UTF_8));
        BufferedReader replies =
                new BufferedReader(new InputStreamReader(open.getInputStream(), StandardCharsets.UTF_8));
        String length = replies.readLine();
        return length.startsWith("$") && !length.equals("$-1") ? replies.readLine() : length;
    }

    private static void reply(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
