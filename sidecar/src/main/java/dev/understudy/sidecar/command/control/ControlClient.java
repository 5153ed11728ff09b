package dev.understudy.sidecar.command.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.TokenFile;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.relay.tls.CallerTlsConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Asks the control port of a running sidecar or aggregator; what goes wrong is said in one line. Thread-safe.
 */
public final class ControlClient {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** On a full machine a lane process, which gives way to all others, needs seconds for a long session's report. */
    private static final Duration ANSWER = Duration.ofSeconds(30);
    /** Of a document that sums up a session, in this process of its own. */
    private static final long MOST_TOKENS = 10_000_000;

    private static final ObjectMapper JSON = ForeignJson.mapper(MOST_TOKENS)
            .setDefaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_EMPTY, Include.NON_EMPTY));

    private final PortOwner owner;
    private final URI base;
    private final String token;
    private final HttpClient client;
    private final CallFailure failure;

    /**
     * @param token "" for the one that the process has generated, where commands of its user find it
     * @param tls for an https address; its files are read for no other
     * @throws IOException if they can't be read; the message names the one
     */
    ControlClient(PortOwner owner, URI base, String token, CallerTlsConfig tls) throws IOException {
        this.owner = owner;
        this.base = base;
        this.token = token.isEmpty() ? TokenFile.read(base, Role.ADMIN) : token;
        this.failure = new CallFailure(owner, base, tls.own() != null);
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        if ("https".equals(base.getScheme()) && !tls.isEmpty()) {
            builder.sslContext(tls.read("TLS"));
        }
        this.client = builder.build();
    }

    /**
     * What asks a sidecar whose address and token are known.
     *
     * @param base its control port, http
     */
    public static ControlClient ofSidecar(URI base, String token) throws IOException {
        return new ControlClient(PortOwner.SIDECAR, base, token, CallerTlsConfig.none());
    }

    /** The same of an aggregator. */
    public static ControlClient ofAggregator(URI base, String token) throws IOException {
        return new ControlClient(PortOwner.AGGREGATOR, base, token, CallerTlsConfig.none());
    }

    /** Where it asks. */
    public URI base() {
        return base;
    }

    /**
     * The document at {@code path}.
     *
     * @throws IOException if nobody answers, or with something else; the message says what to do
     */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(base.resolve(path)).GET());
    }

    /** What is at {@code path}, as it comes; throws as {@link #get} does. */
    public byte[] bytes(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = send(HttpRequest.newBuilder(base.resolve(path)), BodyHandlers.ofByteArray());
        if (reply.statusCode() != 200) {
            throw refused(reply.statusCode(), parse(reply.body()));
        }
        return reply.body();
    }

    /**
     * Sends a document, without its members that are null or empty, and returns the answer's; throws as {@link #get}
     * does.
     */
    public JsonNode put(String path, Object document) throws IOException, InterruptedException {
        return put(path, "application/json", JSON.writeValueAsBytes(document));
    }

    /** Sends a document of any type, and returns the answer's; throws as {@link #get} does. */
    public JsonNode put(String path, String type, byte[] document) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", type)
                .PUT(HttpRequest.BodyPublishers.ofByteArray(document)));
    }

    /** Asks for what {@code path} does, without a document, and returns the answer's; throws as {@link #get} does. */
    public JsonNode post(String path) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** Asks for what {@code path} does with a document, and returns the answer's; throws as {@link #get} does. */
    public JsonNode post(String path, Object document) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(document))));
    }

    /** Deletes what is at {@code path}, and returns the answer's document; throws as {@link #get} does. */
    public JsonNode delete(String path) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(base.resolve(path)).DELETE());
    }

    /** A name as one segment of a path. */
    public static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * The lines of the event stream at {@code path}, for as long as both stay; throws as {@link #get} does.
     *
     * @param lastId of the last event that was seen, or ""
     */
    public BufferedReader follow(String path, String lastId) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).header("Accept", "text/event-stream");
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        HttpResponse<InputStream> reply = send(request, BodyHandlers.ofInputStream());
        if (reply.statusCode() != 200) {
            try (InputStream body = reply.body()) {
                throw refused(reply.statusCode(), parse(body.readAllBytes()));
            }
        }
        return new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8));
    }

    private JsonNode ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = send(request, BodyHandlers.ofByteArray());
        JsonNode document = parse(reply.body());
        if (reply.statusCode() != 200) {
            throw refused(reply.statusCode(), document);
        }
        return document;
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<T> reply;
        try {
            reply = client.send(request.timeout(ANSWER).build(), body);
        } catch (IOException broken) {
            throw failure.describe(broken);
        }
        if (reply.statusCode() == 401) {
            throw new IOException(base + ": wants a token (expected: " + owner.variable("TOKEN")
                    + ", --token, or the " + owner.word()
                    + "'s own in " + TokenFile.path(base.getPort(), Role.ADMIN) + ", which only its user has)");
        }
        return reply;
    }

    private IOException refused(int status, JsonNode problem) {
        return new IOException(base + ": " + problem.path("detail").asText("status " + status));
    }

    private JsonNode parse(byte[] body) throws IOException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException other) {
            throw new IOException(base + ": answers, but not as the " + owner.word() + " does", other);
        }
    }
}
