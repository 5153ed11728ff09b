import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import org.thymeleaf.IEngineConfiguration;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.StringTemplateResolver;
import org.thymeleaf.templateresource.ITemplateResource;
import org.thymeleaf.templateresource.StringTemplateResource;

/** Where authors see their pages and letters as readers will, with parts of pages that they all share. */
public final class Server {
    private static final Map<String, String> SHELF = Map.of(
            "parts", """
            <div>
            <p th:fragment="note(text)" class="note" th:text="${text}">note</p>
            <section th:fragment="card(title, price)"><h2 th:text="${title}">t</h2><b th:text="${price}">0</b></section>
            </div>
            """,
            "shop", """
            <html><body th:with="open=${number % 2 == 0}">
            <h1 th:text="|Shop ${number}|">Shop</h1>
            <p th:replace="~{parts :: note(${open} ? 'open (all day)' : 'closed')}">note</p>
            <div th:each="hat : ${hats}">
            <i th:replace="~{parts :: card(${hat}, ${hat.length() * number})}">card</i>
            </div>
            </body></html>
            """,
            "list", """
            <ol><li th:each="hat, at : ${hats}" th:classappend="${at.odd} ? 'odd'" th:text="${hat}">hat</li></ol>
            """);
    private static final TemplateEngine PAGES = engine(TemplateMode.HTML);
    private static final TemplateEngine LETTERS = engine(TemplateMode.TEXT);

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/pages/", exchange -> answer(exchange, PAGES, body(exchange)));
        server.createContext("/letters/", exchange -> answer(exchange, LETTERS, body(exchange)));
        server.createContext("/shops/", exchange -> answer(exchange, PAGES, "shop"));
        server.createContext("/lists/", exchange -> answer(exchange, PAGES, "list"));
        server.start();
    }

    private static TemplateEngine engine(TemplateMode mode) {
        Shelf shelf = new Shelf();
        shelf.setTemplateMode(mode);
        shelf.setCacheable(false);
        TemplateEngine engine = new TemplateEngine();
        engine.setTemplateResolver(shelf);
        return engine;
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, TemplateEngine engine, String template) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try {
            Context context = new Context(Locale.ROOT);
            context.setVariable("number", Integer.valueOf(path.substring(path.lastIndexOf('/') + 1)));
            context.setVariable("name", "Ann");
            context.setVariable("hats", List.of("bowler", "cap", "beret"));
            reply(exchange, 200, engine.process(template, context));
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

    /** Finds what has a name on the shelf; everything else is a template itself. */
    private static final class Shelf extends StringTemplateResolver {
        @Override
        protected ITemplateResource computeTemplateResource(
                IEngineConfiguration configuration,
                String owner,
                String template,
                Map<String, Object> attributes) {
            return new StringTemplateResource(SHELF.getOrDefault(template, template));
        }
    }
}
