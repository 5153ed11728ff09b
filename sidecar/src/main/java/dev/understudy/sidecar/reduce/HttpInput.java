package dev.understudy.sidecar.reduce;

import java.util.List;

/**
 * What is sent on one connection: the request that fails, and those before it. Immutable.
 *
 * @param earlier in the order in which they are sent, each after the reply to the one before
 * @param last whose reply is looked at
 */
public record HttpInput(List<HttpCall> earlier, HttpCall last) {
    public HttpInput {
        earlier = List.copyOf(earlier);
    }

    /** A single request. */
    public static HttpInput of(HttpCall only) {
        return new HttpInput(List.of(), only);
    }

    HttpInput with(HttpCall other) {
        return new HttpInput(earlier, other);
    }

    /** Bytes that are sent. */
    public int size() {
        return earlier.stream().mapToInt(call -> call.bytes().length).sum() + last.bytes().length;
    }
}
