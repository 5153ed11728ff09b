package dev.understudy.it.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * An HTTP server that answers one request after the other: each waits, as for a database, and then calls many small
 * methods.
 */
public final class MillServer {
    private static final int BACKLOG = 1024;

    private final LongUnaryOperator work;
    private final long waitNanos;
    private long result = 1;

    private MillServer(LongUnaryOperator work, long waitNanos) {
        this.work = work;
        this.waitNanos = waitNanos;
    }

    /** Serves: the port, how many microseconds a request waits, and the class that works. */
    public static void main(String[] arguments) throws Exception {
        Object work = Class.forName(arguments[2]).getDeclaredConstructor().newInstance();
        MillServer server =
                new MillServer((LongUnaryOperator) work, TimeUnit.MICROSECONDS.toNanos(Long.parseLong(arguments[1])));
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        HttpServer http = HttpServer.create(address, BACKLOG);
        http.createContext("/", server::answer);
        http.setExecutor(Executors.newSingleThreadExecutor());
        http.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        long until = System.nanoTime() + waitNanos;
        for (long left = waitNanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        result = work.applyAsLong(result);
        byte[] reply = "milled\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, reply.length);
        exchange.getResponseBody().write(reply);
        exchange.close();
    }
}
