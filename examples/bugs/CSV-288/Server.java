import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/** A price list that wholesalers fill: some send commas, others two strokes between the values. */
public final class Server {
    private static final CSVFormat COMMAS =
            CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).build();
    private static final CSVFormat STROKES =
            COMMAS.builder().setDelimiter("||").setQuote(null).setEscape('\\').build();
    private static final Map<String, Article> ARTICLES = new ConcurrentSkipListMap<>();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/prices/commas", exchange -> answer(exchange, read -> take(read, COMMAS)));
        server.createContext("/prices/strokes", exchange -> answer(exchange, read -> take(read, STROKES)));
        server.createContext("/totals", exchange -> answer(exchange, Server::total));
        server.createContext("/articles/", exchange -> answer(exchange, read -> article(last(exchange))));
        server.createContext("/list", exchange -> answer(exchange, read -> list()));
        server.start();
    }

    private static String take(Reader lines, CSVFormat format) throws IOException {
        int taken = 0;
        try (CSVParser parser = format.parse(lines)) {
            for (CSVRecord record : parser) {
                Article article = new Article(
                        record.get("code"),
                        record.get("name"),
                        record.get("size"),
                        new BigDecimal(record.get("price")));
                ARTICLES.put(article.code, article);
                taken++;
            }
        }
        return taken + " taken";
    }

    private static String total(Reader lines) throws IOException {
        BigDecimal total = BigDecimal.ZERO;
        try (CSVParser parser = STROKES.parse(lines)) {
            for (CSVRecord record : parser) {
                BigDecimal count = new BigDecimal(record.get("count"));
                total = total.add(count.multiply(new BigDecimal(record.get("price"))));
            }
        }
        return total.toPlainString();
    }

    private static String article(String code) throws IOException {
        Article article = ARTICLES.get(code);
        return article == null ? null : COMMAS.format(article.code, article.name, article.size, article.price);
    }

    private static String list() throws IOException {
        StringBuilder list = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(list, CSVFormat.DEFAULT)) {
            printer.printRecord("code", "name", "price");
            for (Article each : ARTICLES.values()) {
                printer.printRecord(each.code, each.name, each.price);
            }
        }
        return list.toString();
    }

    private static String last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void answer(HttpExchange exchange, Question question) throws IOException {
        try (Reader body = new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8)) {
            String said = question.of(body);
            reply(exchange, said == null ? 404 : 200, said == null ? "unknown" : said);
        } catch (NumberFormatException problem) {
            reply(exchange, 400, "no number");
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

    /** What is asked. */
    private interface Question {
        String of(Reader body) throws IOException;
    }

    /** Something to be had for a price. */
    private record Article(String code, String name, String size, BigDecimal price) {}
}
