package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An application with carts: {@code /N} answers what N items cost, {@code /N/CODE} with a coupon; more than nine are
 * too many.
 */
public final class CartServer {
    private CartServer() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String[] path = exchange.getRequestURI().getPath().substring(1).split("/", -1);
            byte[] body = answer(path).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static String answer(String[] path) {
        if (path[0].equals("late")) {
            return new Late(7L).word("in time");
        }
        Cart cart = new Cart(Integer.parseInt(path[0]));
        try {
            return "total " + cart.total(path.length > 1 ? new Coupon(path[1]) : null, 0.5, 3L);
        } catch (IllegalStateException tooMany) {
            return "refused";
        }
    }

    /** What is paid less. */
    static final class Coupon {
        final String code;
        final String secretKey = "s3cr3t";

        Coupon(String code) {
            this.code = code;
        }

        @Override
        public String toString() {
            throw new IllegalStateException("toString was called");
        }
    }

    /** Isn't loaded before it is asked for. */
    static final class Late {
        private final long number;

        Late(long number) {
            this.number = number;
        }

        String word(String when) {
            return number + when;
        }
    }

    static final class Cart {
        @SuppressWarnings("UnusedVariable") // log points read it
        private final int id;

        private final List<String> items = new ArrayList<>();

        Cart(int size) {
            this.id = 100 + size;
            for (int i = 0; i < size; i++) {
                items.add("item " + i);
            }
        }

        /** Throws if there are too many. */
        long total(@Nullable Coupon coupon, double factor, long each) {
            if (items.size() > 9) {
                throw new IllegalStateException("too many: " + items.size());
            }
            long sum = 0;
            for (String item : items) {
                int price = item.length();
                sum += each * price; // here
            }
            if (coupon != null) {
                return Math.round(sum * factor);
            }
            return sum;
        }
    }
}
