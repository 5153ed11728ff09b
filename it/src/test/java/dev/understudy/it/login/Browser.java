package dev.understudy.it.login;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a browser, and a script in it, sends to the notes' service: with cookies, and with the tokens of the pages it
 * got.
 */
final class Browser {
    private static final Pattern HIDDEN = Pattern.compile("name=\"_csrf\" type=\"hidden\" value=\"([^\"]+)\"");

    private final String base;
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private String formToken = "";
    private int sent;

    Browser(int port) {
        base = "http://127.0.0.1:" + port;
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = to(path).GET();
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** With the token of the last page. */
    HttpResponse<String> post(String path, String fields) throws IOException, InterruptedException {
        String form = fields + "&_csrf=" + formToken;
        return send(to(path).header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    /** As browsers send forms with files; with the token of the last page. */
    HttpResponse<String> upload(String path, String text, String about) throws IOException, InterruptedException {
        String parts = part("_csrf", formToken) + part("text", text) + part("about", about) + "--limit--\r\n";
        return send(to(path).header("Content-Type", "multipart/form-data; boundary=limit")
                .POST(BodyPublishers.ofString(parts)));
    }

    /** With the token in a header, as scripts do it. */
    HttpResponse<String> json(String method, String path, String token, String body, String... headers)
            throws IOException, InterruptedException {
        return json(method, path, token, BodyPublishers.ofString(body), headers);
    }

    /** The same without saying before how long it will be. */
    HttpResponse<String> chunked(String method, String path, String token, String body)
            throws IOException, InterruptedException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return json(method, path, token, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
    }

    /** How many requests it has made. */
    int sent() {
        return sent;
    }

    private HttpResponse<String> json(String method, String path, String token, BodyPublisher body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = to(path).header("Content-Type", "application/json")
                .header("X-CSRF-TOKEN", token)
                .method(method, body);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        sent++;
        HttpResponse<String> reply = client.send(request.build(), BodyHandlers.ofString());
        Matcher token = HIDDEN.matcher(reply.body());
        if (token.find()) {
            formToken = token.group(1);
        }
        return reply;
    }

    private static String part(String name, String value) {
        return "--limit\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }
}
