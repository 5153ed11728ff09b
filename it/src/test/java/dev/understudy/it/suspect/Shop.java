package dev.understudy.it.suspect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A small shop: {@code /cart/7x3?code=SPRING} is 3 of article 7 with a coupon.
 *
 * <p>Its bug is in {@link #fixed}, or in {@link #rebate} that calls it: with the coupon {@code FIFTY} a small cart's
 * rebate exceeds its worth. What a user notices is a status 500 that {@link #checked} makes of it, long after.
 */
final class Shop {
    private Shop() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/cart/", Shop::serve);
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void serve(HttpExchange exchange) throws IOException {
        int status = 200;
        String answer;
        try {
            answer = answer(
                    exchange.getRequestURI().getPath().substring("/cart/".length()),
                    exchange.getRequestURI().getQuery());
        } catch (IllegalStateException refused) {
            status = 500;
            answer = apology(refused);
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String answer(String cart, String query) {
        List<int[]> lines = lines(cart);
        String code = coupon(query);
        int worth = worth(lines);
        int rebate = rebate(code, worth);
        int shipping = shipping(worth, lines.size());
        int total = checked(worth - rebate + shipping);
        return receipt(worth, rebate, shipping, total, gift(total));
    }

    private static List<int[]> lines(String cart) {
        List<int[]> lines = new ArrayList<>();
        for (String line : cart.split(",", -1)) {
            lines.add(line(line));
        }
        return lines;
    }

    private static int[] line(String text) {
        String[] parts = text.split("x", -1);
        return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
    }

    private static String coupon(@Nullable String query) {
        return query == null ? "" : query.substring(query.indexOf('=') + 1).toUpperCase(Locale.ROOT);
    }

    private static int worth(List<int[]> lines) {
        int worth = 0;
        for (int[] line : lines) {
            worth += price(line[0]) * line[1];
        }
        return worth;
    }

    private static int price(int article) {
        return article % 2 == 0 ? evenPrice(article) : oddPrice(article);
    }

    private static int evenPrice(int article) {
        return 100 + article * 7 % 60;
    }

    private static int oddPrice(int article) {
        return 130 + article * 11 % 90;
    }

    static int rebate(String code, int worth) {
        return switch (code) {
            case "SPRING" -> spring(worth);
            case "FIFTY" -> fixed(5_000);
            default -> 0;
        };
    }

    private static int spring(int worth) {
        return worth > 1_000 ? worth / 10 : worth / 20;
    }

    static int fixed(int cents) {
        int fee = cents / 100;
        return cents - fee;
    }

    private static int shipping(int worth, int lines) {
        return worth > 2_000 ? 0 : 300 + 20 * lines;
    }

    static int checked(int total) {
        if (total < 0) {
            throw new IllegalStateException("total: " + total);
        }
        return total;
    }

    private static boolean gift(int total) {
        return total > 1_500 && total % 7 == 0;
    }

    private static String receipt(int worth, int rebate, int shipping, int total, boolean gift) {
        return "{\"worth\":" + worth + ",\"rebate\":" + rebate + ",\"shipping\":" + shipping + ",\"total\":" + total
                + ",\"gift\":" + gift + "}";
    }

    private static String apology(IllegalStateException refused) {
        return "{\"error\":\"" + refused.getMessage() + "\"}";
    }
}
