package dev.understudy.it.suspect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A small stock: {@code /pick/7} takes a piece of article 7, {@code /mark/7x130} puts a price on it.
 *
 * <p>Its bug: who picks reads prices and takes the shelves meanwhile, who marks takes the shelves and writes prices
 * meanwhile. As it serves one request at a time, nobody ever stands still for that. A price of 0 is refused.
 */
final class Stock {
    private static final int ARTICLES = 100;
    private static final ReentrantReadWriteLock PRICES = new ReentrantReadWriteLock();
    private static final ReentrantLock SHELVES = new ReentrantLock();
    private static final int[] CENTS = new int[ARTICLES];
    private static final int[] PIECES = new int[ARTICLES];

    private Stock() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newSingleThreadExecutor());
        server.createContext("/", Stock::serve);
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int status = 200;
        String answer;
        try {
            answer = path.startsWith("/pick/") ? pick(path.substring(6)) : mark(path.substring(6));
        } catch (IllegalArgumentException refused) {
            status = 500;
            answer = String.valueOf(refused.getMessage());
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    static String pick(String text) {
        int article = Integer.parseInt(text);
        PRICES.readLock().lock();
        try {
            return taken(article) + " for " + CENTS[article];
        } finally {
            PRICES.readLock().unlock();
        }
    }

    static int taken(int article) {
        SHELVES.lock();
        try {
            PIECES[article]--;
            return PIECES[article];
        } finally {
            SHELVES.unlock();
        }
    }

    static String mark(String text) {
        String[] parts = text.split("x", -1);
        int article = Integer.parseInt(parts[0]);
        SHELVES.lock();
        try {
            marked(article, Integer.parseInt(parts[1]));
            return PIECES[article] + " marked";
        } finally {
            SHELVES.unlock();
        }
    }

    static void marked(int article, int cents) {
        PRICES.writeLock().lock();
        try {
            if (cents == 0) {
                throw new IllegalArgumentException("no price");
            }
            CENTS[article] = cents;
        } finally {
            PRICES.writeLock().unlock();
        }
    }
}
