package dev.understudy.example.pricing;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The little JSON that this service speaks. */
final class Json {
    private Json() {}

    static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\' || c < ' ') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.appendCodePoint(c);
            }
        });
        return json.append('"').toString();
    }
}
