import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.vladsch.flexmark.ast.Heading;
import com.vladsch.flexmark.ast.Image;
import com.vladsch.flexmark.html.HtmlRenderer;
import com.vladsch.flexmark.html2md.converter.FlexmarkHtmlConverter;
import com.vladsch.flexmark.parser.Parser;
import com.vladsch.flexmark.util.ast.NodeVisitor;
import com.vladsch.flexmark.util.ast.TextCollectingVisitor;
import com.vladsch.flexmark.util.ast.VisitHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

/** Keeps web pages and messages as Markdown, and shows them again as HTML, as an outline or as a list of pictures. */
public final class Server {
    private static final FlexmarkHtmlConverter CONVERTER = FlexmarkHtmlConverter.builder().build();
    private static final Parser PARSER = Parser.builder().build();
    private static final HtmlRenderer RENDERER = HtmlRenderer.builder().escapeHtml(true).build();
    private static final Map<String, String> NOTES = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/notes/", exchange -> answer(exchange, Server::note));
        server.createContext("/shown/", exchange -> answer(exchange, (name, page) -> shown(known(name))));
        server.createContext("/outline/", exchange -> answer(exchange, (name, page) -> outline(known(name))));
        server.createContext("/pictures/", exchange -> answer(exchange, (name, page) -> pictures(known(name))));
        server.createContext("/words", exchange -> answer(exchange, (name, page) -> words(CONVERTER.convert(page))));
        server.start();
    }

    private static String note(String name, String page) {
        if (page.isEmpty()) {
            return known(name);
        }
        String note = CONVERTER.convert(page);
        NOTES.put(name, note);
        return note;
    }

    private static String known(String name) {
        return NOTES.getOrDefault(name, "# Nothing\n\nNothing was noted as " + name + " yet.");
    }

    private static String shown(String note) {
        return RENDERER.render(PARSER.parse(note));
    }

    private static String outline(String note) {
        StringBuilder outline = new StringBuilder();
        new NodeVisitor(new VisitHandler<>(Heading.class, heading -> outline.append(heading.getLevel())
                        .append(' ')
                        .append(heading.getText())
                        .append('\n')))
                .visit(PARSER.parse(note));
        return outline.toString();
    }

    private static String pictures(String note) {
        StringBuilder pictures = new StringBuilder();
        new NodeVisitor(new VisitHandler<>(
                        Image.class, image -> pictures.append(image.getUrl()).append('\n')))
                .visit(PARSER.parse(note));
        return pictures.toString();
    }

    private static String words(String note) {
        return String.valueOf(new TextCollectingVisitor()
                .collectAndGetText(PARSER.parse(note))
                .split("\\s+")
                .length);
    }

    private static void answer(HttpExchange exchange, BiFunction<String, String, String> keeper) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String page = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            reply(exchange, 200, keeper.apply(path.substring(path.lastIndexOf('/') + 1), page));
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
