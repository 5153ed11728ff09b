package dev.understudy.example.pricing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves prices over HTTP on the port named by the environment variable {@code SERVER_PORT} (8090 without it). */
public final class PricingApplication implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int GRACE_SECONDS = 2;

    private final HttpServer server;
    private final ExecutorService threads;

    private PricingApplication(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** Starts a server on all local addresses; port 0 takes a free one. */
    public static PricingApplication start(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        server.setExecutor(threads);
        PriceEndpoint prices = new PriceEndpoint(PriceBook.bundled());
        server.createContext("/price", prices);
        server.createContext(
                "/health",
                exchange -> Json.send(exchange, 200, "{\"status\":\"UP\",\"asked\":" + prices.asked() + "}"));
        server.start();
        return new PricingApplication(server, threads);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Lets running requests finish for up to two seconds. */
    @Override
    public void close() {
        server.stop(GRACE_SECONDS);
        threads.shutdown();
    }

    public static void main(String[] arguments) throws IOException {
        // the JDK's server leaves Nagle's algorithm on, which costs keep-alive clients 40 ms a request
        System.setProperty("sun.net.httpserver.nodelay", "true");
        String port = System.getenv().getOrDefault("SERVER_PORT", "8090");
        PricingApplication application = start(Integer.parseInt(port));
        Runtime.getRuntime().addShutdownHook(new Thread(application::close, "shutdown"));
        System.out.println("pricing ready on port " + application.port());
    }
}
