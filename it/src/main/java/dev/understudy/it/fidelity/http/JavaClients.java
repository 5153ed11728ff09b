package dev.understudy.it.fidelity.http;

import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.Transcript;
import dev.understudy.it.fidelity.server.Server;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;

/** The JDK's two clients and Apache's, each with the same requests; many at once with the JDK's newer one. */
public final class JavaClients implements Suite {
    private static final List<String> REQUESTS = List.of(
            "GET /small.txt",
            "GET /lines.txt",
            "GET /bytes.bin",
            "GET /empty.txt",
            "GET /missing.txt",
            "GET /told?a=1&b=%20x",
            "GET /nothing",
            "GET /moved",
            "GET /moved-for-good",
            "GET /bad",
            "GET /broken",
            "GET /cookie",
            "GET /number",
            "HEAD /small.txt",
            "HEAD /bytes.bin",
            "OPTIONS /told",
            "DELETE /told",
            "POST /post",
            "POST /too-large",
            "PUT /post");

    @Override
    public String name() {
        return "java-http";
    }

    @Override
    public String about() {
        return ("java.net.http, HttpURLConnection and Apache HttpClient 5.6, %d requests each twice, "
                        + "and 200 at once; an operation is a request")
                .formatted(REQUESTS.size());
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.HTTP;
    }

    @Override
    public List<String> programs() {
        return List.of("nginx");
    }

    @Override
    public void prepare(Server server) {
        // its files are there
    }

    @Override
    public void run(Side side) throws Exception {
        String base = "http://127.0.0.1:" + side.port();
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(Redirect.NORMAL)
                .build();
        try (CloseableHttpClient apache = HttpClients.createDefault()) {
            for (int round = 1; round <= 2; round++) {
                for (String request : REQUESTS) {
                    String method = request.substring(0, request.indexOf(' '));
                    URI uri = URI.create(base + request.substring(request.indexOf(' ') + 1));
                    String name = request + " number " + round;
                    add(side, "java.net.http: " + name, () -> jdk(client, method, uri));
                    add(side, "HttpURLConnection: " + name, () -> old(method, uri));
                    add(side, "Apache: " + name, () -> apache(apache, method, uri));
                }
            }
        }
        atOnce(side, client, base);
    }

    private static void atOnce(Side side, HttpClient client, String base) {
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            URI uri = URI.create(base + "/told?at-once=" + n);
            all.add(client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray()));
        }
        for (int n = 0; n < all.size(); n++) {
            CompletableFuture<HttpResponse<byte[]>> each = all.get(n);
            add(side, "at once: " + n, () -> said(each.get()));
        }
    }

    private static String jdk(HttpClient client, String method, URI uri) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("X-Told", "jdk")
                .method(method, body(method) ? BodyPublishers.ofString("a=1".repeat(2_000)) : BodyPublishers.noBody())
                .build();
        return said(client.send(request, BodyHandlers.ofByteArray()));
    }

    private static String said(HttpResponse<byte[]> reply) {
        return said(reply.statusCode(), reply.headers().map(), reply.body());
    }

    private static String old(String method, URI uri) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(method);
        if (body(method)) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(3);
            connection.getOutputStream().write("a=1".getBytes(StandardCharsets.US_ASCII));
        }
        int status = connection.getResponseCode();
        try (InputStream in = status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
            return said(status, connection.getHeaderFields(), in == null ? new byte[0] : in.readAllBytes());
        }
    }

    private static String apache(CloseableHttpClient client, String method, URI uri) throws Exception {
        HttpUriRequestBase request = new HttpUriRequestBase(method, uri);
        if (body(method)) {
            request.setEntity(new StringEntity("{\"a\": 1}", ContentType.APPLICATION_JSON));
        }
        return client.execute(request, reply -> {
            Map<String, List<String>> headers = new TreeMap<>();
            Arrays.stream(reply.getHeaders())
                    .forEach(header -> headers.computeIfAbsent(header.getName(), name -> new ArrayList<>())
                            .add(header.getValue()));
            byte[] body = reply.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(reply.getEntity());
            return said(reply.getCode(), headers, body);
        });
    }

    private static boolean body(String method) {
        return method.equals("POST") || method.equals("PUT");
    }

    private static String said(int status, Map<String, List<String>> headers, byte[] body) {
        StringBuilder text = new StringBuilder().append(status).append('\n');
        headers.forEach(
                (name, values) -> text.append(name).append(": ").append(values).append('\n'));
        return text.append(new String(body, StandardCharsets.ISO_8859_1)).toString();
    }

    private static void add(Side side, String name, Callable<String> request) {
        side.transcript().add(name, () -> Transcript.result(HttpText.steady(request.call(), side.port())));
    }
}
