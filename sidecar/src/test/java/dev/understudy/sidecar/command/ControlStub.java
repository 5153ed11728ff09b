package dev.understudy.sidecar.command;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A control port that answers with given documents, for commands whose program is another module's. */
final class ControlStub implements AutoCloseable {
    /** Method, path with query, and body of each call. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    private final HttpServer server;

    /** @param answers of a path with its query; null for 404 */
    ControlStub(Function<String, @Nullable String> answers) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String uri = exchange.getRequestURI().toString();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(exchange.getRequestMethod() + " " + uri + " " + body);
            String answer = answers.apply(uri);
            String document = answer == null ? "{\"detail\":\"there is no " + uri + "\"}" : answer;
            byte[] reply = document.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, reply.length);
            exchange.getResponseBody().write(reply);
            exchange.close();
        });
        server.start();
    }

    /** Runs a command that asks this port. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Ran run(String command, String subcommand, String... more) {
        List<String> all = new ArrayList<>(List.of(command, subcommand, "--url", url()));
        all.addAll(List.of(more));
        return Ran.run(all.toArray(String[]::new));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
