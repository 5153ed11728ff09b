package com.example.prices;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Prices with tax, whose rate another service gives. Arguments: the build, and {@code host:port} of the rates. */
public final class PriceService {
    private PriceService() {}

    public static void main(String[] arguments) throws IOException {
        // stands for the mistake of whoever changed the build under test
        int mistake = arguments[0].equals("broken") ? 1 : 0;
        HttpClient client = HttpClient.newHttpClient();
        URI rates = URI.create("http://" + arguments[1] + "/tax");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/prices", request -> {
            byte[] body;
            try {
                int tax = Integer.parseInt(client.send(HttpRequest.newBuilder(rates).build(), BodyHandlers.ofString())
                        .body());
                body = ("{\"net\": 100, \"total\": " + (100 + tax + mistake) + "}").getBytes(StandardCharsets.UTF_8);
            } catch (Exception failed) {
                body = failed.toString().getBytes(StandardCharsets.UTF_8);
            }
            request.getResponseHeaders().set("Content-Type", "application/json");
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
        server.start();
        System.out.println("prices on port " + server.getAddress().getPort());
    }
}
