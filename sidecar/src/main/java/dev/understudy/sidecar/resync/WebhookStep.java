package dev.understudy.sidecar.resync;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** Posts to whoever can do it, who answers with 2xx when it is done. */
record WebhookStep(String url) implements Step {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public void run(Occasion occasion) throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(Map.of(
                "debug",
                occasion.debug(),
                "epoch",
                occasion.epoch(),
                "cause",
                occasion.cause().name()));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(occasion.timeout())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        int status;
        try {
            status = HttpClient.newBuilder()
                    .connectTimeout(occasion.timeout())
                    .build()
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException failed) {
            throw new IOException("the webhook failed: " + failed, failed);
        }
        if (status / 100 != 2) {
            throw new IOException("the webhook answered " + status + " (expected: 2xx)");
        }
    }
}
