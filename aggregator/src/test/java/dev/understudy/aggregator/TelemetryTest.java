package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.config.AggregatorConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class TelemetryTest {
    /** With the libraries that the aggregator is shipped with: what they send needs versions that fit together. */
    @Test
    void meters_areSentToTheReceiver(@TempDir Path folder) throws Exception {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/metrics", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        Path settings = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: pricing
                    protocol: http
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:1 }
                    debug: { listen: 127.0.0.1:0 }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                telemetry: { otlp: "http://127.0.0.1:%d" }
                """.formatted(
                        receiver.getAddress().getPort()));
        try {
            Aggregator.open(AggregatorConfig.read(settings, Map.of(), List.of()))
                    .close(); // which sends what there is

            assertThat(received)
                    .anySatisfy(body -> assertThat(body)
                            .contains("understudy.aggregator.debug.missed", "pricing", "understudy-aggregator"));
        } finally {
            receiver.stop(0);
        }
    }
}
