package dev.understudy.mcp;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A service that answers {@code /same/…} as all others do, and everything else with its own price: {@code /wide/…} many
 * times, {@code /code/…} as a code, {@code /login/…} as a password.
 */
final class SmallShop implements AutoCloseable {
    /** Prices in a reply to {@code /wide}. */
    static final int WIDTH = 250;

    /** The debug spans of its requests that had one, in their order. */
    final Queue<String> spans = new ConcurrentLinkedQueue<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    SmallShop(int price) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String traceparent = exchange.getRequestHeaders().getFirst("traceparent");
            if (traceparent != null) {
                spans.add(traceparent.substring(36, 52));
            }
            String body = body(exchange.getRequestURI().getPath(), price);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    private static String body(String path, int price) {
        if (path.startsWith("/wide")) {
            return IntStream.range(0, WIDTH)
                    .mapToObj(n -> "\"price" + n + "\":" + (price + n))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (path.startsWith("/code")) {
            return "{\"code\":\"A-" + price + "\"}";
        }
        return "{\"price\":" + (path.startsWith("/same") ? 1 : price) + ",\"password\":\"hunter2-and-more"
                + (path.startsWith("/login") ? price : "") + "\",\"note\":\"\\u001b[31mred \\u202e\"}";
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
