package dev.understudy.example.demo.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Asks a control API for JSON. */
public final class ControlPort {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final String url;
    private final List<String> unanswered = new ArrayList<>();

    public ControlPort(String url) {
        this.url = url;
    }

    public JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request = request(path).timeout(TIMEOUT).build();
        HttpResponse<byte[]> reply = http.send(request, BodyHandlers.ofByteArray());
        if (reply.statusCode() != 200) {
            throw new IOException(url + path + " was answered " + reply.statusCode());
        }
        return JSON.readTree(reply.body());
    }

    /** What a document that is posted there is answered. */
    JsonNode post(String path, Object document) throws IOException, InterruptedException {
        HttpRequest request = request(path)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(document)))
                .build();
        HttpResponse<byte[]> reply = http.send(request, BodyHandlers.ofByteArray());
        if (reply.statusCode() != 200) {
            throw new IOException(url + path + " was answered " + reply.statusCode());
        }
        return JSON.readTree(reply.body());
    }

    /** Like {@link #get}, but a question that isn't answered is only noted. */
    JsonNode ask(String path) throws InterruptedException {
        try {
            return get(path);
        } catch (IOException e) {
            unanswered.add(url + path + ": " + e);
            return MissingNode.getInstance();
        }
    }

    /** The questions that weren't answered, with the reason. */
    List<String> unanswered() {
        return List.copyOf(unanswered);
    }

    /** The data of a stream of server-sent events; the stream must be closed. */
    Stream<JsonNode> events(String path) throws IOException, InterruptedException {
        HttpRequest request = request(path).build();
        HttpResponse<Stream<String>> reply = http.send(request, BodyHandlers.ofLines());
        return reply.body()
                .filter(line -> line.startsWith("data:"))
                .map(line -> parsed(line.substring("data:".length())));
    }

    private HttpRequest.Builder request(String path) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        String token = token();
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    /** The token that the process behind the port has generated for commands of its user. */
    private String token() throws IOException {
        String chosen = System.getenv("UNDERSTUDY_RUN");
        Path folder = chosen == null || chosen.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".understudy")
                : Path.of(chosen);
        Path file = folder.resolve("control-" + URI.create(url).getPort() + ".admin.token");
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
