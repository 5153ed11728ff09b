package dev.understudy.it.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An HTTP request that is sent again and again.
 *
 * @param bodyBytes of the request, all of them zero
 * @param keepAlive whether the connection is used for more than one
 */
public record Ask(String method, String path, int bodyBytes, boolean keepAlive) {
    /** For the file {@code path}. */
    public static Ask get(String path) {
        return new Ask("GET", path, 0, true);
    }

    /** For the head of what {@code path} is. */
    public static Ask head(String path) {
        return new Ask("HEAD", path, 0, true);
    }

    /** With a body. */
    public static Ask post(String path, int bodyBytes) {
        return new Ask("POST", path, bodyBytes, true);
    }

    /** The same, on a connection of its own. */
    public Ask closing() {
        return new Ask(method, path, bodyBytes, false);
    }

    boolean repliesWithBody() {
        return !method.equals("HEAD");
    }

    /** As it is sent. */
    byte[] bytes() {
        String length = bodyBytes == 0 ? "" : "Content-Length: " + bodyBytes + "\r\n";
        String connection = keepAlive ? "" : "Connection: close\r\n";
        byte[] head = (method + " " + path + " HTTP/1.1\r\nHost: bench\r\n" + length + connection + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(head.length + bodyBytes).put(head).array();
    }
}
