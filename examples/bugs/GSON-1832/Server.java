import com.google.gson.Gson;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** Answers with JSON of types that refer to each other; {@code POST /reload} begins with a new Gson. */
public final class Server {
    private static volatile Gson gson = new Gson();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/nodes/", exchange -> answer(exchange, new Node(last(exchange))));
        server.createContext("/chains/", exchange -> answer(exchange, new Chain(last(exchange))));
        server.createContext("/groups/", exchange -> answer(exchange, new Group(last(exchange))));
        server.createContext("/reload", exchange -> {
            gson = new Gson();
            reply(exchange, 200, "{}");
        });
        server.start();
    }

    private static int last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void answer(HttpExchange exchange, Object value) throws IOException {
        try {
            reply(exchange, 200, gson.toJson(value));
        } catch (RuntimeException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** A node, whose chain has nodes. */
    static final class Node {
        final int number;
        Chain chain;
        List<Node> others = new ArrayList<>();

        Node(int number) {
            this.number = number;
        }
    }

    /** A chain, whose group has chains. */
    static final class Chain {
        final int length;
        Node first;
        Group group;

        Chain(int length) {
            this.length = length;
        }
    }

    /** A group of nodes and chains. */
    static final class Group {
        final int size;
        List<Chain> chains = new ArrayList<>();
        Node middle;

        Group(int size) {
            this.size = size;
        }
    }
}
