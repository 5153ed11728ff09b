package dev.understudy.it.bench.clone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A service whose answers depend on what it has in memory: counters, and users who have logged in.
 *
 * <p>Arguments: port, megabytes of live heap, megabytes a second that it writes to {@code log} in its directory.
 */
final class StatefulServer {
    private static final int BLOCK = 64 * 1024;
    private static final long WRITES_PER_SECOND = 20;

    private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
    private final Map<String, String> users = new ConcurrentHashMap<>();
    private final List<byte[]> heap = new ArrayList<>();

    private StatefulServer(int megabytes) {
        Random random = new Random(megabytes);
        for (long bytes = 0; bytes < (long) megabytes << 20; bytes += BLOCK) {
            byte[] block = new byte[BLOCK];
            random.nextBytes(block);
            heap.add(block);
        }
    }

    public static void main(String[] args) throws IOException {
        StatefulServer service = new StatefulServer(Integer.parseInt(args[1]));
        int written = Integer.parseInt(args[2]);
        if (written > 0) {
            Thread writer = new Thread(() -> write(Path.of("log"), written << 20), "log");
            writer.setDaemon(true);
            writer.start();
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 500);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/count", service::count);
        server.createContext("/login", service::login);
        server.createContext("/me", service::me);
        server.start();
    }

    private void count(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestURI().getQuery();
        long count = counters.computeIfAbsent(key, first -> new AtomicLong()).incrementAndGet();
        reply(exchange, 200, key + " " + count + " " + heap.get((int) (count % heap.size()))[0]);
    }

    private void login(HttpExchange exchange) throws IOException {
        String user = exchange.getRequestURI().getQuery();
        String session = Long.toHexString(Double.doubleToLongBits(Math.random()));
        users.put(session, user);
        reply(exchange, 200, session);
    }

    private void me(HttpExchange exchange) throws IOException {
        String user = users.get(exchange.getRequestURI().getQuery());
        reply(exchange, user == null ? 401 : 200, user == null ? "nobody" : user);
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** At an even pace, so many bytes a second. */
    private static void write(Path file, int perSecond) {
        byte[] bytes = new byte[(int) (perSecond / WRITES_PER_SECOND)];
        try (OutputStream log = Files.newOutputStream(file)) {
            for (long due = System.nanoTime(); ; due += 1_000_000_000L / WRITES_PER_SECOND) {
                log.write(bytes);
                LockSupport.parkNanos(due - System.nanoTime());
            }
        } catch (IOException full) {
            throw new AssertionError(full);
        }
    }
}
