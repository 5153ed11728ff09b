package dev.understudy.it.exhaust;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Customers of production who compare each byte of each reply with what production sent, and connect anew every few
 * requests.
 */
final class Customers implements AutoCloseable {
    private static final int CUSTOMERS = 3;
    private static final int REQUESTS_OF_A_CONNECTION = 8;
    private static final int LARGEST = 200_000;
    private static final long PAUSE_MILLIS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    /** They begin to ask at {@code port}. */
    void begin(int port) {
        for (int n = 0; n < CUSTOMERS; n++) {
            threads.execute(() -> {
                while (!over) {
                    visit(port);
                }
            });
        }
    }

    /** Replies that came whole. */
    int served() {
        return served.get();
    }

    /** What else came of requests. */
    List<String> failures() {
        return failures;
    }

    /** A server that answers them, as production or as its debug copy. */
    HttpServer server() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(threads);
        server.createContext("/", Customers::answer);
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] body = body(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)));
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static byte[] body(int id) {
        Random random = new Random(id);
        byte[] body = new byte[1 + random.nextInt(LARGEST)];
        random.nextBytes(body);
        return body;
    }

    private void visit(int port) {
        int id = 0;
        try (Socket socket = new Socket()) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
            for (int n = 0; n < REQUESTS_OF_A_CONNECTION && !over; n++) {
                id = requests.incrementAndGet();
                String request = "GET /" + id + " HTTP/1.1\r\nHost: shop\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                if (!Arrays.equals(read(socket.getInputStream()), body(id))) {
                    failures.add("request " + id + ": other bytes");
                }
                served.incrementAndGet();
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException | InterruptedException | RuntimeException broken) {
            failures.add("request " + id + ": " + broken);
        }
    }

    private static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("ended after: " + head.toString(StandardCharsets.US_ASCII));
            }
            head.write(next);
        }
        String[] parts = head.toString(StandardCharsets.US_ASCII).split("(?i)content-length: ", 2);
        int length = Integer.parseInt(parts[1].substring(0, parts[1].indexOf('\r')));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new IOException("ended after " + body.length + " of " + length + " bytes");
        }
        return body;
    }

    @Override
    public void close() {
        over = true;
        threads.shutdownNow();
    }
}
