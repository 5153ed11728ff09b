import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Keeps the manifests of releases as YAML that people like to read, and announces them. */
public final class Server {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build());
    private static final TypeReference<Map<String, Object>> MANIFEST = new TypeReference<>() {};
    private static final Map<Integer, String> MANIFESTS = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/releases/", exchange -> answer(exchange, Server::release));
        server.createContext("/announcements/", exchange -> answer(exchange, Server::announcement));
        server.createContext("/files", exchange -> answer(exchange, Server::files));
        server.createContext("/checks", exchange -> answer(exchange, Server::check));
        server.start();
    }

    private static String release(HttpExchange exchange) throws IOException {
        int number = last(exchange);
        if (exchange.getRequestMethod().equals("GET")) {
            return MANIFESTS.get(number);
        }
        Release release = JSON.readValue(exchange.getRequestBody(), Release.class);
        String manifest = YAML.writeValueAsString(release);
        String announced = announce(YAML.readValue(manifest, MANIFEST));
        MANIFESTS.put(number, manifest);
        return announced;
    }

    private static String announcement(HttpExchange exchange) throws IOException {
        String manifest = MANIFESTS.get(last(exchange));
        return manifest == null ? null : announce(YAML.readValue(manifest, MANIFEST));
    }

    private static String files(HttpExchange exchange) throws IOException {
        Map<String, Integer> sizes = new TreeMap<>();
        for (String each : MANIFESTS.values()) {
            YAML.readValue(each, Release.class).files.forEach((name, size) -> sizes.merge(name, size, Integer::sum));
        }
        return YAML.writeValueAsString(sizes);
    }

    private static String check(HttpExchange exchange) throws IOException {
        Release release = YAML.readValue(exchange.getRequestBody(), Release.class);
        return YAML.writeValueAsString(
                Map.of("name", release.name, "files", release.files.size(), "fit", !release.draft));
    }

    private static String announce(Map<String, Object> manifest) {
        String commit = (String) manifest.get("commit");
        String name = (String) manifest.get("name");
        return name + " " + manifest.get("version") + " is out, made from " + commit.substring(0, 4)
                + " with the labels " + manifest.get("labels");
    }

    private static int last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void answer(HttpExchange exchange, Question question) throws IOException {
        try {
            String said = question.of(exchange);
            reply(exchange, said == null ? 404 : 200, said == null ? "" : said);
        } catch (JsonProcessingException problem) {
            reply(exchange, 400, problem.getOriginalMessage());
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

    /** What is asked. */
    private interface Question {
        String of(HttpExchange exchange) throws IOException;
    }

    /** What is released. */
    public static final class Release {
        public String name = "";
        public String version = "";
        public String commit = "";
        public boolean draft;
        public List<String> labels = new ArrayList<>();
        public Map<String, Integer> files = new TreeMap<>();
    }
}
