import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;

/** A catalogue of paints, searched by what is written about them; who collects rules gets a count before all else. */
public final class Server {
    private static final String[] WORDS = {"red", "blue", "green", "white", "dull", "bright", "cheap", "dear", "old"};

    private final StandardAnalyzer analyzer = new StandardAnalyzer();
    private final IndexWriter writer =
            new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig(analyzer));
    private final SearcherManager searchers;

    private Server() throws IOException {
        for (int i = 1; i <= 90; i++) {
            put(i, WORDS[i % 4] + " " + WORDS[4 + i % 5] + " paint of shelf " + i % 7);
        }
        searchers = new SearcherManager(writer, null);
    }

    public static void main(String[] arguments) throws IOException {
        Server catalogue = new Server();
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/search", exchange -> answer(exchange, catalogue::search));
        server.createContext("/count", exchange -> answer(exchange, catalogue::count));
        server.createContext("/explain", exchange -> answer(exchange, catalogue::explain));
        server.createContext("/beginning", exchange -> answer(exchange, catalogue::beginning));
        server.createContext("/paints/", exchange -> answer(exchange, text -> catalogue.paint(exchange, text)));
        server.start();
    }

    private String search(String words) throws IOException, ParseException {
        Query query = new QueryParser("text", analyzer).parse(words);
        return withSearcher(searcher -> {
            StringBuilder found = new StringBuilder();
            for (ScoreDoc each : searcher.search(query, 5).scoreDocs) {
                found.append(searcher.doc(each.doc).get("text")).append('\n');
            }
            return found.toString();
        });
    }

    private String count(String words) throws IOException, ParseException {
        Query query = new QueryParser("text", analyzer).parse(words);
        return withSearcher(searcher -> Integer.toString(searcher.count(query)));
    }

    private String explain(String words) throws IOException, ParseException {
        Query query = new QueryParser("text", analyzer).parse(words);
        return withSearcher(searcher -> query + "\n" + searcher.explain(query, 0));
    }

    private String beginning(String letters) throws IOException {
        return withSearcher(searcher ->
                Integer.toString(searcher.search(new PrefixQuery(new Term("text", letters)), 3).scoreDocs.length));
    }

    private String paint(HttpExchange exchange, String text) throws IOException {
        String path = exchange.getRequestURI().getPath();
        put(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)), text);
        searchers.maybeRefresh();
        return "known";
    }

    private void put(int number, String text) throws IOException {
        Document document = new Document();
        document.add(new StringField("number", Integer.toString(number), Field.Store.YES));
        document.add(new TextField("text", text, Field.Store.YES));
        writer.updateDocument(new Term("number", Integer.toString(number)), document);
    }

    private String withSearcher(Question question) throws IOException {
        IndexSearcher searcher = searchers.acquire();
        try {
            return question.of(searcher);
        } finally {
            searchers.release(searcher);
        }
    }

    private static void answer(HttpExchange exchange, Reader reader) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            reply(exchange, 200, reader.read(text));
        } catch (ParseException problem) {
            reply(exchange, 400, problem.getMessage());
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

    /** Answers what was written. */
    private interface Reader {
        String read(String text) throws IOException, ParseException;
    }

    /** What the index is asked. */
    private interface Question {
        String of(IndexSearcher searcher) throws IOException;
    }
}
