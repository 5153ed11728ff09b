package dev.understudy.it.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/**
 * A service with a heap full of small objects, so that a collection stops it for some tenths of a second. It prints its
 * port. {@code GET /collect} has one begin; everything else is answered at once.
 */
final class CrowdedService {
    private static final int OBJECTS = 4_000_000;

    private CrowdedService() {}

    public static void main(String[] arguments) throws IOException {
        Link crowd = null;
        for (int n = 0; n < OBJECTS; n++) {
            crowd = new Link(crowd, new Object());
        }
        Link kept = crowd;
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", exchange -> answer(exchange, kept));
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private record Link(Link next, Object kept) {}

    private static void answer(HttpExchange exchange, Link kept) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(kept == null ? 500 : 204, -1);
        }
        if (exchange.getRequestURI().getPath().equals("/collect")) {
            System.gc();
        }
    }
}
