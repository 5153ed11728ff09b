import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import freemarker.cache.StringTemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;

/** An old shop whose pages were written for FreeMarker 1; its articles have numbers, and a few have letters, too. */
public final class Server {
    private static final Configuration PAGES = new Configuration(Configuration.VERSION_2_3_33);

    public static void main(String[] arguments) throws IOException {
        StringTemplateLoader shelf = new StringTemplateLoader();
        shelf.putTemplate("basket", """
                <h1>${title}</h1>
                <#if basket?seq_contains(offer)><p>One of ${offer} is for free today!</p></#if>
                <ul><#list basket as each><li>${each_index + 1}. article ${each}</li></#list></ul>
                <#if voucher>Voucher ${voucher}</#if><p>${basket?size} in all, ${note}</p>
                """);
        shelf.putTemplate("sorted", """
                <ol><#list basket?chunk(2) as row><#list row as each><li>${each}</li></#list></#list></ol>
                first ${basket?first}, last ${basket?last}, ${note}
                """);
        shelf.putTemplate("article", """
                <h1>Article ${number}</h1>
                <#switch number % 3><#case 0>red<#break><#case 1>green<#break><#default>blue</#switch>
                <#if number == offer>on offer</#if>
                <#if ["hat", "coat", "scarf"]?seq_contains(kind)>to wear</#if> ${kind?cap_first?html} ${unknown}
                """);
        shelf.putTemplate("receipt", """
                <#assign total = 0><#list basket as each><#assign total = total + 3></#list>
                <#macro line text amount>${text?right_pad(20, ".")} ${amount}</#macro>
                <@line text="articles" amount=basket?size /> <@line text="to pay" amount=total />
                """);
        PAGES.setTemplateLoader(shelf);
        PAGES.setClassicCompatible(true);
        PAGES.setLocale(Locale.ROOT);
        PAGES.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        PAGES.setLogTemplateExceptions(false);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/basket/", exchange -> answer(exchange, "basket"));
        server.createContext("/sorted/", exchange -> answer(exchange, "sorted"));
        server.createContext("/receipt/", exchange -> answer(exchange, "receipt"));
        server.createContext("/article/", exchange -> answer(exchange, "article"));
        server.start();
    }

    private static void answer(HttpExchange exchange, String name) throws IOException {
        StringWriter page = new StringWriter();
        try {
            PAGES.getTemplate(name).process(model(exchange.getRequestURI().getPath()), page);
            reply(exchange, 200, page.toString());
        } catch (TemplateException | RuntimeException problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static Map<String, Object> model(String path) {
        List<Object> basket = new ArrayList<>();
        for (String article : path.substring(path.lastIndexOf('/') + 1).split(",")) {
            basket.add(article.matches("\\d+") ? (Object) Integer.valueOf(article) : article);
        }
        Map<String, Object> model = new HashMap<>();
        model.put("title", "Basket");
        model.put("basket", basket);
        model.put("number", basket.get(0));
        model.put("kind", basket.size() % 2 == 0 ? "coat" : "lamp");
        model.put("offer", 15);
        return model;
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
