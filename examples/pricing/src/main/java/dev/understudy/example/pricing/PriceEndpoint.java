package dev.understudy.example.pricing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /price?sku=S&quantity=Q&currency=C}: 200 with the price, 400 for a bad parameter, 404 for an unknown
 * product.
 */
final class PriceEndpoint implements HttpHandler {
    private static final int MOST = 1_000_000;

    private final PriceBook book;
    private final LongAdder asked = new LongAdder();

    PriceEndpoint(PriceBook book) {
        this.book = book;
    }

    /** How many requests have come in. */
    long asked() {
        return asked.sum();
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        asked.increment();
        if (!exchange.getRequestMethod().equals("GET")) {
            refuse(exchange, 405, "only GET");
            return;
        }
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String sku = query.getOrDefault("sku", "");
        OptionalLong unit = book.cents(sku);
        if (unit.isEmpty()) {
            refuse(exchange, 404, "no such product: " + sku);
            return;
        }
        Price price;
        try {
            int quantity = Integer.parseInt(query.getOrDefault("quantity", "1"));
            if (quantity < 1 || quantity > MOST) {
                throw new IllegalArgumentException("quantity: " + quantity + " (expected: 1 to " + MOST + ")");
            }
            Currency currency = Currency.valueOf(query.getOrDefault("currency", "EUR"));
            price = Price.of(sku, unit.getAsLong(), quantity, currency);
        } catch (IllegalArgumentException e) {
            refuse(exchange, 400, String.valueOf(e.getMessage()));
            return;
        }
        Json.send(exchange, 200, price.json());
    }

    private static Map<String, String> query(@Nullable String raw) {
        return Arrays.stream((raw == null ? "" : raw).split("&"))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(
                        Collectors.toMap(pair -> decoded(pair[0]), pair -> decoded(pair[1]), (first, second) -> first));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // a stray percent sign stands for itself
        }
    }

    private static void refuse(HttpExchange exchange, int status, String reason) throws IOException {
        Json.send(exchange, status, "{\"error\":" + Json.quoted(reason) + "}");
    }
}
