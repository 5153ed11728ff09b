package dev.understudy.example.demo.load;

import java.util.Map;

/** An answer, read to its end; header names in lower case. */
final class HttpReply {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    HttpReply(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body;
    }

    int status() {
        return status;
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    byte[] body() {
        return body;
    }
}
