package dev.understudy.it.flame;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Says what articles are worth, after thinking about it for {@code -Dmillis}. */
final class Appraiser {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(Integer.getInteger("millis", 20));

    @SuppressWarnings("UnusedVariable") // what is made must be seen
    private static volatile byte[] photo = {};

    private Appraiser() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", Appraiser::serve);
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.startsWith("/articles/")) {
            photograph();
        }
        byte[] body = appraise(path).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void photograph() {
        for (int i = 0; i < 8; i++) {
            photo = new byte[1 << 18];
        }
    }

    private static String appraise(String path) {
        long until = System.nanoTime() + NANOS;
        for (long left = NANOS; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return "worth " + path.length();
    }
}
