package dev.understudy.sidecar;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A small real HTTP service on loopback that remembers what it was asked. */
final class HttpService implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** One request as the service saw it. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Asked(String method, String target, Headers headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Answers one request. */
    interface Answer {
        void to(Asked asked, HttpExchange exchange) throws IOException, InterruptedException;
    }

    HttpService(int port, Answer answer) throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0), answer);
    }

    private HttpService(HttpServer server, Answer answer) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", remembering(answer));
        server.start();
    }

    static HttpService answering(Answer answer) throws IOException {
        return new HttpService(0, answer);
    }

    /** Speaks TLS 1.3 and nothing else. */
    static HttpService secured(SSLContext keys, Answer answer) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(keys) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters only = keys.getDefaultSSLParameters();
                only.setProtocols(new String[] {"TLSv1.3"});
                parameters.setSSLParameters(only);
            }
        });
        return new HttpService(server, answer);
    }

    /** Answers everything with the same JSON text. */
    static HttpService saying(String json) throws IOException {
        return answering((asked, exchange) -> reply(exchange, 200, json));
    }

    static void reply(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private HttpHandler remembering(Answer answer) {
        return exchange -> {
            Asked request = new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    exchange.getRequestBody().readAllBytes());
            asked.add(request);
            try {
                answer.to(request, exchange);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        };
    }
}
