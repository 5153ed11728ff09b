import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** A copying office that takes Markdown: pages, their outlines and links, and labels of a few lines for envelopes. */
public final class Server {
    private static final int LABEL_LINES = 4;
    private static final int LABEL_WIDTH = 40;
    private static final Parser PARSER = Parser.builder().build();
    private static final HtmlRenderer HTML = HtmlRenderer.builder().escapeHtml(true).build();
    private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/pages", exchange -> answer(exchange, page -> HTML.render(PARSER.parse(page))));
        server.createContext("/texts", exchange -> answer(exchange, page -> TEXT.render(PARSER.parse(page))));
        server.createContext("/outlines", exchange -> answer(exchange, Server::outline));
        server.createContext("/links", exchange -> answer(exchange, Server::links));
        server.createContext("/labels", exchange -> answer(exchange, Server::label));
        server.start();
    }

    private static String outline(String page) {
        StringBuilder outline = new StringBuilder();
        PARSER.parse(page).accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                outline.append("  ".repeat(heading.getLevel() - 1)).append(TEXT.render(heading)).append('\n');
            }
        });
        return outline.toString();
    }

    private static String links(String page) {
        StringBuilder links = new StringBuilder();
        PARSER.parse(page).accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.append(link.getDestination()).append('\n');
                visitChildren(link);
            }
        });
        return links.toString();
    }

    private static String label(String address) {
        Lines lines = new Lines();
        PARSER.parse(address).accept(lines);
        if (lines.all.size() > LABEL_LINES) {
            throw new TooLarge("a label has " + LABEL_LINES + " lines");
        }
        for (StringBuilder line : lines.all) {
            if (line.length() > LABEL_WIDTH) {
                throw new TooLarge("a line has " + LABEL_WIDTH + " characters");
            }
        }
        return String.join("\n", lines.all);
    }

    private static void answer(HttpExchange exchange, UnaryOperator<String> copier) throws IOException {
        String page = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            reply(exchange, 200, copier.apply(page));
        } catch (TooLarge problem) {
            reply(exchange, 422, problem.getMessage());
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

    /** What is printed in each line. */
    private static final class Lines extends AbstractVisitor {
        private final List<StringBuilder> all = new ArrayList<>();

        @Override
        public void visit(Paragraph paragraph) {
            all.add(new StringBuilder());
            visitChildren(paragraph);
        }

        @Override
        public void visit(HardLineBreak lineBreak) {
            all.add(new StringBuilder());
        }

        @Override
        public void visit(SoftLineBreak lineBreak) {
            last().append(' ');
        }

        @Override
        public void visit(Text text) {
            last().append(text.getLiteral());
        }

        @Override
        public void visit(Code code) {
            last().append(code.getLiteral());
        }

        private StringBuilder last() {
            return all.get(all.size() - 1);
        }
    }

    /** Something doesn't fit on a label. */
    private static final class TooLarge extends RuntimeException {
        TooLarge(String message) {
            super(message);
        }
    }
}
