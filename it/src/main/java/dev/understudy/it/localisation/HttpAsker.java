package dev.understudy.it.localisation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Random;

/** Asks over HTTP/1.1; connections stay open. */
final class HttpAsker implements Asker {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final int port;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    HttpAsker(int port) {
        this.port = port;
    }

    @Override
    public String ask(Ask ask, Random random) throws IOException, InterruptedException {
        String[] line = Asker.filled(ask.lines().get(0), random).split(" ", 2);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + line[1]))
                .timeout(PATIENCE)
                .method(
                        line[0],
                        ask.body().isEmpty()
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(Asker.filled(ask.body(), random)));
        for (String header : ask.headers()) {
            String[] parts = header.split(":\\s*", 2);
            request.header(parts[0], parts[1]);
        }
        try {
            return Integer.toString(
                    client.send(request.build(), BodyHandlers.discarding()).statusCode());
        } catch (HttpTimeoutException none) {
            return "0";
        }
    }
}
