import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.InvalidJsonException;
import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.Option;
import com.jayway.jsonpath.PathNotFoundException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;

/** A library's catalogue: shelves are documents, and readers ask them with paths of their own. */
public final class Server {
    private static final Configuration ALL =
            Configuration.defaultConfiguration().addOptions(Option.ALWAYS_RETURN_LIST, Option.SUPPRESS_EXCEPTIONS);
    private static final Map<Integer, DocumentContext> SHELVES = new ConcurrentSkipListMap<>();
    private static final String FIRST = """
            {"room": "north", "books": [
             {"title": "Sayings", "author": "Nigel", "price": 9, "isbn": "0-55"},
             {"title": "Moby", "author": "Herman", "price": 13},
             {"title": "The Ring", "author": "Ronald", "price": 23, "isbn": "0-39"}]}""";

    public static void main(String[] arguments) throws IOException {
        for (int i = 1; i <= 10; i++) {
            SHELVES.put(i, JsonPath.parse(FIRST));
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/shelves/", exchange -> answer(exchange, Server::shelf));
        server.createContext("/queries/", exchange -> answer(exchange, Server::query));
        server.createContext("/counts", exchange -> answer(exchange, Server::count));
        server.createContext("/prices/", exchange -> answer(exchange, Server::price));
        server.start();
    }

    private static String shelf(HttpExchange exchange, String body) {
        int number = last(exchange);
        if (exchange.getRequestMethod().equals("PUT")) {
            DocumentContext shelf = JsonPath.parse(body);
            shelf.read("$.books[*].title");
            SHELVES.put(number, shelf);
            return "put";
        }
        DocumentContext shelf = SHELVES.get(number);
        return shelf == null ? null : shelf.jsonString();
    }

    private static String query(HttpExchange exchange, String body) {
        DocumentContext shelf = SHELVES.get(last(exchange));
        return shelf == null ? null : String.valueOf((Object) shelf.read(body));
    }

    private static String count(HttpExchange exchange, String body) {
        JsonPath path = JsonPath.compile(body);
        int count = 0;
        for (DocumentContext each : SHELVES.values()) {
            List<Object> found = path.read((Object) each.json(), ALL);
            count += found.size();
        }
        return Integer.toString(count);
    }

    private static String price(HttpExchange exchange, String body) {
        DocumentContext shelf = SHELVES.get(last(exchange));
        if (shelf == null) {
            return null;
        }
        List<Number> prices = shelf.read("$.books[*].price");
        return prices.stream().mapToInt(Number::intValue).sum() + " in " + shelf.read("$['room']");
    }

    private static int last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void answer(HttpExchange exchange, Question question) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            String said = question.of(exchange, body);
            reply(exchange, said == null ? 404 : 200, said == null ? "unknown" : said);
        } catch (PathNotFoundException problem) {
            reply(exchange, 404, problem.getMessage());
        } catch (InvalidPathException | InvalidJsonException problem) {
            reply(exchange, 400, problem.getMessage());
        } catch (Throwable problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What is asked. */
    private interface Question {
        String of(HttpExchange exchange, String body);
    }
}
