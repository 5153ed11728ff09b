package dev.understudy.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** The upstream of the tests, in their own JVM; each rate is another one. */
public final class Rates implements AutoCloseable {
    private final AtomicInteger calls = new AtomicInteger();
    private final HttpServer server;

    /** Starts it on a port of its own. */
    public Rates() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", request -> {
            byte[] body = Integer.toString(1000 + calls.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
        server.start();
    }

    /** Its {@code host:port}. */
    public String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** How often it was called. */
    int calls() {
        return calls.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
