import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.apache.velocity.runtime.resource.loader.StringResourceLoader;
import org.apache.velocity.runtime.resource.util.StringResourceRepository;

/** Writes letters that customers brought along, and its own receipts; a letter with a gap in it isn't sent. */
public final class Server {
    private static final Pattern GAP = Pattern.compile("\\$!?\\{?[a-zA-Z]|#\\{?[a-zA-Z]+}?\\(");
    private static final VelocityEngine ENGINE = new VelocityEngine();

    public static void main(String[] arguments) throws IOException {
        ENGINE.setProperty("resource.loaders", "string");
        ENGINE.setProperty("resource.loader.string.class", StringResourceLoader.class.getName());
        ENGINE.setProperty("velocimacro.inline.local_scope", true);
        ENGINE.init();
        StringResourceRepository shelf = StringResourceLoader.getRepository();
        shelf.putStringResource("receipt", """
                #macro(money $amount)$amount.00#end
                #set($line = "Total: #money($total)")
                #foreach($each in $items)$foreach.count. $each at #money($foreach.index)
                #end
                $line
                """);
        shelf.putStringResource("reminder", """
                Dear $name, #if($total > 50)soon#{else}sometime#end you'll have to pay $total for $items.size() things.
                """);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/letters/", exchange -> answer(exchange, Server::written));
        server.createContext("/receipts/", exchange -> answer(exchange, (context, none) -> merged("receipt", context)));
        server.createContext(
                "/reminders/", exchange -> answer(exchange, (context, none) -> merged("reminder", context)));
        server.createContext("/lengths/", exchange -> answer(
                exchange, (context, letter) -> String.valueOf(written(context, letter).length())));
        server.start();
    }

    private static String written(VelocityContext context, String letter) {
        StringWriter written = new StringWriter();
        ENGINE.evaluate(context, written, "letter", letter);
        return complete(written.toString());
    }

    private static String merged(String name, VelocityContext context) {
        StringWriter written = new StringWriter();
        ENGINE.getTemplate(name).merge(context, written);
        return complete(written.toString());
    }

    private static String complete(String letter) {
        if (GAP.matcher(letter).find()) {
            throw new IllegalArgumentException("there is a gap: " + letter);
        }
        return letter;
    }

    private static void answer(HttpExchange exchange, Writing writing) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String letter = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        VelocityContext context = new VelocityContext();
        context.put("name", "Ann");
        context.put("items", List.of("hat", "coat", "scarf"));
        context.put("total", Integer.valueOf(path.substring(path.lastIndexOf('/') + 1)));
        try {
            reply(exchange, 200, writing.of(context, letter));
        } catch (IllegalArgumentException gap) {
            reply(exchange, 422, gap.getMessage());
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

    /** Makes a text of what is known. */
    private interface Writing {
        String of(VelocityContext context, String letter);
    }
}
