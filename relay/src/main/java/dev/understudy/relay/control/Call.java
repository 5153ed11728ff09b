package dev.understudy.relay.control;

import java.util.List;
import java.util.Map;

/**
 * One request to the control port, read in full.
 *
 * @param path the path without the query
 * @param query decoded query parameters
 * @param contentType the body's type, or {@code ""}
 * @param body the body; empty for GET
 */
public record Call(String path, Map<String, List<String>> query, String contentType, byte[] body) {
    /** Returns a query parameter's first value. */
    public String parameter(String name, String otherwise) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? otherwise : values.get(0);
    }

    /**
     * Returns a query parameter as a whole number.
     *
     * @throws IllegalArgumentException when it is not a number from {@code least} to {@code most}; the caller gets 400
     */
    public int number(String name, int otherwise, int least, int most) {
        String raw = parameter(name, String.valueOf(otherwise));
        try {
            int number = Integer.parseInt(raw);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException wrong) {
            // answered below, like a number out of range
        }
        throw new IllegalArgumentException(name + ": " + raw + " (expected: " + least + " to " + most + ")");
    }
}
