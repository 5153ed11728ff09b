package dev.understudy.sidecar.reduce;

import java.util.List;

/**
 * What is sent on one connection: the request that fails, and those before it. Immutable.
 *
 * @param earlier in the order in which they are sent, each after the reply to the one before
 * @param last whose reply is looked at
 */
record HttpInput(List<HttpCall> earlier, HttpCall last) {
    HttpInput {
        earlier = List.copyOf(earlier);
    }

    HttpInput with(HttpCall other) {
        return new HttpInput(earlier, other);
    }

    /** Bytes that are sent. */
    int size() {
        return earlier.stream().mapToInt(call -> call.bytes().length).sum() + last.bytes().length;
    }
}
