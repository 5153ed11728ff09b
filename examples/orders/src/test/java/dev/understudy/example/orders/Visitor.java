package dev.understudy.example.orders;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Somebody who uses the shop over HTTP and keeps its cookies. */
final class Visitor {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .cookieHandler(new CookieManager())
            .build();
    private final String shop;

    Visitor(String shop) {
        this.shop = shop;
    }

    HttpResponse<byte[]> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(shop + path)));
    }

    HttpResponse<byte[]> post(String path, String json) {
        return send(HttpRequest.newBuilder(URI.create(shop + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    HttpResponse<byte[]> post(String path, byte[] content) {
        return send(HttpRequest.newBuilder(URI.create(shop + path))
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(content)));
    }

    Visitor signedInAs(String customer) {
        int status = post("/login", "{\"customer\":\"" + customer + "\",\"password\":\"break-a-leg\"}")
                .statusCode();
        if (status != 200) {
            throw new AssertionError("login answered " + status);
        }
        return this;
    }

    static JsonNode json(HttpResponse<byte[]> reply) {
        return JSON.readTree(reply.body());
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
