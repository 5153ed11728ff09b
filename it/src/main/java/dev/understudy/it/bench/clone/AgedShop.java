package dev.understudy.it.bench.clone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/**
 * A service with defects that are in its memory only, once somebody has caused them: {@code /import?K} puts an entry
 * without a currency into the cache, and {@code /price?K} fails for it; {@code /leak} loses a connection of the pool,
 * and {@code /order?K} fails once all four are lost. It listens on {@code port}, or on any, and prints which.
 */
public final class AgedShop {
    private static final int SIZE = 4;
    private static final int OK = 200;
    private static final int FAILED = 500;

    private final Map<String, String[]> cache = new ConcurrentHashMap<>();
    private final Semaphore pool = new Semaphore(SIZE);

    private AgedShop() {}

    public static void main(String[] arguments) throws IOException {
        AgedShop shop = new AgedShop();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(loopback, Integer.getInteger("port", 0)), 100);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/import", exchange -> answer(exchange, shop::load));
        server.createContext("/price", exchange -> answer(exchange, shop::price));
        server.createContext("/leak", exchange -> answer(exchange, shop::leak));
        server.createContext("/order", exchange -> answer(exchange, shop::order));
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private String load(String key) {
        cache.put(key, new String[] {key, null});
        return "imported " + key;
    }

    private String price(String key) {
        return format(cache.computeIfAbsent(key, first -> new String[] {first, "EUR"}));
    }

    private String format(String[] entry) {
        if (entry[1] == null) {
            throw new IllegalStateException("no currency");
        }
        return entry[0] + " costs " + entry[0].length() + " " + entry[1];
    }

    private String leak(String key) {
        return "leaked " + pool.tryAcquire();
    }

    private String order(String key) {
        borrow();
        try {
            return "ordered " + key;
        } finally {
            pool.release();
        }
    }

    private void borrow() {
        if (!pool.tryAcquire()) {
            throw new IllegalStateException("the pool is exhausted");
        }
    }

    private static void answer(HttpExchange exchange, UnaryOperator<String> handler) throws IOException {
        int status = OK;
        String text;
        try {
            text = handler.apply(String.valueOf(exchange.getRequestURI().getQuery()));
        } catch (IllegalStateException failed) {
            status = FAILED;
            text = String.valueOf(failed.getMessage());
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
