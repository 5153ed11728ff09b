import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A shop's till: takes orders one by one, and by the dozen from partners who know more ways to pay than the shop. */
public final class Server {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectReader ORDER = JSON.readerFor(Order.class);
    private static final ObjectReader PARTNER =
            JSON.readerForListOf(Order.class).without(DeserializationFeature.FAIL_ON_INVALID_SUBTYPE);
    private static final Map<Integer, Receipt> RECEIPTS = new ConcurrentSkipListMap<>();
    private static final AtomicInteger LAST = new AtomicInteger();
    private static final int MOST = 500;

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/orders", exchange -> answer(exchange, Server::order));
        server.createContext("/imports", exchange -> answer(exchange, Server::imports));
        server.createContext("/fees", exchange -> answer(exchange, Server::fee));
        server.createContext("/receipts/", exchange -> answer(exchange, Server::receipt));
        server.createContext("/day", exchange -> answer(exchange, Server::day));
        server.start();
    }

    private static Object order(HttpExchange exchange) throws IOException {
        Order order = ORDER.readValue(exchange.getRequestBody());
        return keep(order);
    }

    private static Object imports(HttpExchange exchange) throws IOException {
        List<Order> orders = PARTNER.readValue(exchange.getRequestBody());
        List<String> left = new ArrayList<>();
        int taken = 0;
        for (Order each : orders) {
            if (each.payment == null) {
                left.add(each.customer);
            } else {
                keep(each);
                taken++;
            }
        }
        return Map.of("taken", taken, "left", left);
    }

    private static Object fee(HttpExchange exchange) throws IOException {
        Order order = ORDER.readValue(exchange.getRequestBody());
        return Map.of("fee", order.payment.fee(order.cents), "name", order.payment.name());
    }

    private static Object receipt(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return RECEIPTS.get(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)));
    }

    private static Object day(HttpExchange exchange) {
        return Map.of(
                "orders", RECEIPTS.size(),
                "cents", RECEIPTS.values().stream().mapToLong(each -> each.cents).sum());
    }

    private static Receipt keep(Order order) {
        Receipt receipt = new Receipt();
        receipt.number = LAST.updateAndGet(last -> last % MOST + 1);
        receipt.customer = order.customer;
        receipt.cents = order.cents + order.payment.fee(order.cents);
        receipt.paidBy = order.payment.name();
        RECEIPTS.put(receipt.number, receipt);
        return receipt;
    }

    private static void answer(HttpExchange exchange, Question question) throws IOException {
        try {
            Object said = question.of(exchange);
            reply(exchange, said == null ? 404 : 200, said == null ? Map.of() : said);
        } catch (JsonProcessingException problem) {
            reply(exchange, 400, Map.of("problem", problem.getOriginalMessage()));
        } catch (RuntimeException problem) {
            reply(exchange, 500, Map.of("problem", String.valueOf(problem.getMessage())));
        }
    }

    private static void reply(HttpExchange exchange, int status, Object value) throws IOException {
        byte[] body = JSON.writeValueAsBytes(value);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What is asked of the till. */
    private interface Question {
        Object of(HttpExchange exchange) throws IOException;
    }

    /** Somebody buys something. */
    public static final class Order {
        public String customer = "";
        public int cents;

        @JsonProperty(required = true)
        public Payment payment;
    }

    /** What the buyer is given. */
    public static final class Receipt {
        public int number;
        public String customer;
        public int cents;
        public String paidBy;
    }

    /** A way to pay. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Invoice.class, name = "invoice"),
        @JsonSubTypes.Type(value = Voucher.class, name = "voucher")
    })
    public interface Payment {
        int fee(int cents);

        String name();
    }

    /** With a card. */
    public static final class Card implements Payment {
        public String number = "";

        @Override
        public int fee(int cents) {
            return cents / 50;
        }

        @Override
        public String name() {
            return "card " + number;
        }
    }

    /** Later. */
    public static final class Invoice implements Payment {
        public int days;

        @Override
        public int fee(int cents) {
            return days * 10;
        }

        @Override
        public String name() {
            return "invoice due in " + days + " days";
        }
    }

    /** With what somebody else has paid. */
    public static final class Voucher implements Payment {
        public String code = "";
        public int worth;

        @Override
        public int fee(int cents) {
            return -Math.min(worth, cents);
        }

        @Override
        public String name() {
            return "voucher " + code;
        }
    }
}
