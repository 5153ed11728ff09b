package dev.understudy.relay.control;

import java.util.List;

/**
 * What a route takes as a request's body.
 *
 * @param largest the most bytes
 * @param types media types in lower case; those of web forms and plain text mustn't be among them
 */
public record Body(int largest, List<String> types) {
    private static final String JSON = "application/json";

    public Body {
        types = List.copyOf(types);
    }

    /** JSON of up to 1 MiB, or nothing. */
    public static Body json() {
        return json(1 << 20);
    }

    /** JSON of up to {@code largest} bytes, or nothing. */
    public static Body json(int largest) {
        return new Body(largest, List.of(JSON));
    }

    /** Up to {@code largest} bytes of one of these types. */
    public static Body of(int largest, String... types) {
        return new Body(largest, List.of(types));
    }
}
