package dev.understudy.example.orders.quote;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/** The pricing service, over HTTP. */
@Component
class Pricing {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration READ = Duration.ofSeconds(10);

    private final RestClient http;

    Pricing(RestClient.Builder builder, @Value("${orders.pricing-url}") String url) {
        // HTTP/1.1: the JDK's client would offer an upgrade to HTTP/2 with each first request
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build());
        requests.setReadTimeout(READ);
        this.http = builder.baseUrl(url).requestFactory(requests).build();
    }

    /** Empty if pricing doesn't know the product or refuses the quantity or currency. */
    Optional<Quote> quote(String sku, int quantity, String currency) {
        try {
            return Optional.ofNullable(http.get()
                    .uri("/price?sku={sku}&quantity={quantity}&currency={currency}", sku, quantity, currency)
                    .retrieve()
                    .body(Quote.class));
        } catch (HttpClientErrorException refused) {
            return Optional.empty();
        }
    }
}
