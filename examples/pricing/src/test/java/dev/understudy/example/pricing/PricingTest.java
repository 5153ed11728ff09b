package dev.understudy.example.pricing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PricingTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private static PricingApplication pricing;

    @BeforeAll
    static void start() throws IOException {
        pricing = PricingApplication.start(0);
    }

    @AfterAll
    static void stop() {
        pricing.close();
    }

    @ParameterizedTest
    @CsvSource({
        "1, EUR, 6137, 0, 6137",
        "10, EUR, 6137, 5, 58302",
        "25, USD, 6643, 8, 152796",
        "100, GBP, 5253, 15, 446528"
    })
    void total_isRoundedOnceAfterTheDiscount(int quantity, String currency, long unit, int percent, long total)
            throws Exception {
        HttpResponse<String> reply = get("/price?sku=PR-002&quantity=" + quantity + "&currency=" + currency);
        assertThat(reply.body())
                .isEqualTo("{\"sku\":\"PR-002\",\"quantity\":" + quantity + ",\"currency\":\"" + currency
                        + "\",\"unit\":" + unit + ",\"discountPercent\":" + percent + ",\"total\":" + total + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quantity=0", "quantity=1000001", "quantity=x", "currency=ZZZ"})
    void badParameter_isRefusedWithAReason(String parameter) throws Exception {
        HttpResponse<String> reply = get("/price?sku=PR-002&" + parameter);
        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(reply.body()).startsWith("{\"error\":\"");
    }

    @Test
    void unknownProduct_isNotFound() throws Exception {
        assertThat(get("/price?sku=%22%0A").body()).isEqualTo("{\"error\":\"no such product: \\u0022\\u000a\"}");
        assertThat(get("/price").statusCode()).isEqualTo(404);
    }

    @Test
    void health_countsWhatWasAsked() throws Exception {
        String before = get("/health").body();
        get("/price?sku=PR-001");
        assertThat(before).startsWith("{\"status\":\"UP\",\"asked\":");
        assertThat(get("/health").body()).isNotEqualTo(before);
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + pricing.port() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
