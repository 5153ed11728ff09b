package dev.understudy.example.demo.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Requests on one connection with the session's cookie; every answer is timed and tallied. */
final class Visit implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NOTHING = {};

    private final HttpConnection connection;
    private final Tally tally;
    private String cookie = "";

    Visit(HttpConnection connection, Tally tally) {
        this.connection = connection;
        this.tally = tally;
    }

    HttpReply get(int expected, String target) throws IOException, Wrong {
        return send(Set.of(expected), "GET", target, "", NOTHING);
    }

    HttpReply post(int expected, String target, JsonNode body) throws IOException, Wrong {
        return post(Set.of(expected), target, body);
    }

    /** One of several answers is right. */
    HttpReply post(Set<Integer> expected, String target, JsonNode body) throws IOException, Wrong {
        return send(
                expected, "POST", target, "application/json", body.toString().getBytes(StandardCharsets.UTF_8));
    }

    HttpReply post(int expected, String target, byte[] body) throws IOException, Wrong {
        return send(Set.of(expected), "POST", target, "application/octet-stream", body);
    }

    private HttpReply send(Set<Integer> expected, String method, String target, String type, byte[] body)
            throws IOException, Wrong {
        Map<String, String> headers = new HashMap<>();
        headers.put("Accept", "*/*");
        if (!type.isEmpty()) {
            headers.put("Content-Type", type);
        }
        if (!cookie.isEmpty()) {
            headers.put("Cookie", cookie);
        }
        long begun = System.nanoTime();
        HttpReply reply = connection.exchange(method, target, headers, body);
        tally.answered(reply.status(), System.nanoTime() - begun);
        String setCookie = reply.header("set-cookie");
        if (!setCookie.isEmpty()) {
            cookie = setCookie.split(";", 2)[0];
        }
        if (!expected.contains(reply.status())) {
            throw new Wrong(method + " " + target + " was answered " + reply.status() + " (expected: " + expected + ") "
                    + new String(reply.body(), StandardCharsets.UTF_8));
        }
        return reply;
    }

    static JsonNode json(HttpReply reply) throws Wrong {
        try {
            return JSON.readTree(reply.body());
        } catch (IOException e) {
            throw new Wrong("not JSON: " + e.getMessage());
        }
    }

    boolean hasSession() {
        return !cookie.isEmpty();
    }

    @Override
    public void close() throws IOException {
        tally.transferred(connection.sent(), connection.received());
        connection.close();
    }
}
