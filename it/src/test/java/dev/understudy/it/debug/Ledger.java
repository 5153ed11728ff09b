package dev.understudy.it.debug;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.stage.Chain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A small HTTP server in a JVM of its own: {@code POST /book/CLIENT} adds the body to that client's {@link Chain} and
 * answers with the chain as it is then; {@code GET /chains} answers with all of them, a line each.
 */
final class Ledger {
    private static final int THREADS = 8;

    private final Map<String, Chain> chains = new ConcurrentHashMap<>();

    private Ledger() {}

    /** Serves on a loopback port, the one that is given or a free one, and prints {@code port=…}. */
    public static void main(String[] arguments) throws IOException {
        int port = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        Ledger ledger = new Ledger();
        server.createContext("/book/", ledger::book);
        server.createContext("/chains", ledger::tell);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private void book(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String client = exchange.getRequestURI().getPath().substring("/book/".length());
        Chain now = chains.merge(client, Chain.EMPTY.with(body), (before, first) -> before.with(body));
        answer(exchange, now.toString());
    }

    private void tell(HttpExchange exchange) throws IOException {
        StringBuilder all = new StringBuilder();
        new TreeMap<>(chains)
                .forEach((client, chain) ->
                        all.append(client).append(' ').append(chain).append('\n'));
        answer(exchange, all.toString());
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] reply = text.getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().add("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, reply.length);
        exchange.getResponseBody().write(reply);
        exchange.close();
    }
}
