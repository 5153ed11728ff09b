import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.PathTemplateMatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps short texts, and counts their words; none may be longer than two thousand bytes. */
public final class Server {
    private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

    public static void main(String[] arguments) {
        HttpHandler routes = Handlers.routing()
                .put("/texts/{name}", Server::keep)
                .get("/texts/{name}", Server::read)
                .get("/texts/{name}/words", Server::words)
                .post("/counts", Server::count)
                .get("/health", exchange -> exchange.getResponseSender().send("texts: " + TEXTS.size()));
        Undertow.builder()
                .addHttpListener(Integer.parseInt(arguments[0]), "127.0.0.1")
                .setIoThreads(2)
                .setWorkerThreads(8)
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, 2_000L)
                .setHandler(new BlockingHandler(routes))
                .build()
                .start();
    }

    private static void keep(HttpServerExchange exchange) throws IOException {
        String text = body(exchange);
        if (text.isBlank()) {
            exchange.setStatusCode(422);
        } else {
            exchange.setStatusCode(TEXTS.put(name(exchange), text) == null ? 201 : 200);
        }
    }

    private static void read(HttpServerExchange exchange) {
        String text = TEXTS.get(name(exchange));
        exchange.setStatusCode(text == null ? 404 : 200);
        exchange.getResponseSender().send(text == null ? "" : text);
    }

    private static void words(HttpServerExchange exchange) {
        String text = TEXTS.getOrDefault(name(exchange), "");
        exchange.setStatusCode(text.isEmpty() ? 404 : 200);
        exchange.getResponseSender().send(wordsOf(text) + " words");
    }

    private static void count(HttpServerExchange exchange) throws IOException {
        exchange.getResponseSender().send(wordsOf(body(exchange)) + " words");
    }

    private static int wordsOf(String text) {
        return text.isBlank() ? 0 : text.trim().split("\\s+").length;
    }

    private static String body(HttpServerExchange exchange) throws IOException {
        return new String(exchange.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String name(HttpServerExchange exchange) {
        return exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY).getParameters().get("name");
    }
}
