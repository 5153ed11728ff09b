package com.example.prices;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.testing.UnderstudyEnvironment;
import dev.understudy.testing.client.UnderstudyClient;
import dev.understudy.testing.junit.UnderstudyExtension;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The service as it is released, with the build under test beside it. */
class PriceServiceTest {
    private static final String SERVICE = "com.example.prices.PriceService";

    @RegisterExtension
    static final UnderstudyExtension understudy = new UnderstudyExtension(() -> new UnderstudyEnvironment()
            .upstream("rates=http://127.0.0.1:" + startRates())
            .production(SERVICE, "released", "${rates}")
            .debug(SERVICE, "${prices.debug}", "${rates}"));

    @Test
    void price_isWithTax(UnderstudyEnvironment service, UnderstudyClient client) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(service.uri().resolve("/prices/7")).build();

        String body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();

        assertEquals("{\"net\": 100, \"total\": 119}", body);
        assertTrue(client.misses().isEmpty());
    }

    /** In a real suite a container, or an embedded server. */
    private static int startRates() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/tax", request -> {
                request.sendResponseHeaders(200, 2);
                request.getResponseBody().write(new byte[] {'1', '9'});
                request.close();
            });
            server.start();
            return server.getAddress().getPort();
        } catch (java.io.IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }
}
