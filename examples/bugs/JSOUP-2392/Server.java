import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.safety.Safelist;

/** Reads pages that are posted: their links, headings and words, and what of them can be shown without danger. */
public final class Server {
    private static final int EXCERPT = 40;

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/clean", exchange -> answer(exchange, Server::clean));
        server.createContext("/links", exchange -> answer(exchange, Server::links));
        server.createContext("/outline", exchange -> answer(exchange, Server::outline));
        server.createContext("/excerpt", exchange -> answer(exchange, Server::excerpt));
        server.start();
    }

    private static String clean(String page) {
        return Jsoup.clean(page, "http://localhost/", Safelist.basicWithImages());
    }

    private static String links(String page) {
        return Jsoup.parse(page, "http://localhost/").select("a[href]").stream()
                .map(link -> link.absUrl("href"))
                .collect(Collectors.joining("\n"));
    }

    private static String outline(String page) {
        StringBuilder outline = new StringBuilder();
        for (Element heading : Jsoup.parse(page).select("h1, h2, h3")) {
            outline.append(heading.tagName()).append(' ').append(heading.text()).append('\n');
        }
        return outline.toString();
    }

    private static String excerpt(String page) {
        Document document = Jsoup.parse(page);
        document.select("script, style, nav").remove();
        String text = document.body().text();
        return text.substring(0, Math.min(text.length(), EXCERPT));
    }

    private static void answer(HttpExchange exchange, UnaryOperator<String> reader) throws IOException {
        String page = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            reply(exchange, 200, reader.apply(page));
        } catch (RuntimeException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
