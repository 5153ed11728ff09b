package dev.understudy.it.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks at products through the sidecar and insists on right answers. */
final class Shopper {
    private static final List<String> PAGES = List.of(
            "/products/1", "/products/2", "/products?category=props&limit=12", "/products/3", "/products?limit=5");

    private final String front;
    private volatile HttpClient http = client();

    Shopper(String front) {
        this.front = front;
    }

    /** Asks for pages one after the other; each has to be answered 200 and with products. */
    void browse(int pages) throws IOException, InterruptedException {
        for (int page = 0; page < pages; page++) {
            HttpResponse<String> reply = get(front + PAGES.get(page % PAGES.size()));
            assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
            assertThat(reply.body()).contains("\"sku\":");
        }
    }

    void browseUnchecked(int pages) {
        try {
            browse(pages);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    int status(String base, String target) throws IOException, InterruptedException {
        return get(base + target).statusCode();
    }

    /** Goes on with new connections. */
    void reconnect() {
        http = client();
    }

    private HttpResponse<String> get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofMinutes(2))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }
}
