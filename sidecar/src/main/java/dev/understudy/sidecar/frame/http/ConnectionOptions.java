package dev.understudy.sidecar.frame.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the sender of an HTTP/1.x message wants of the connection.
 *
 * @param words of its {@code Connection} fields, in lower case
 * @param version of the message, such as {@code HTTP/1.1}
 */
record ConnectionOptions(Set<String> words, String version) {
    static ConnectionOptions of(List<String> fields, String version) {
        if (fields.isEmpty()) {
            return new ConnectionOptions(Set.of(), version);
        }
        return new ConnectionOptions(
                fields.stream()
                        .flatMap(field -> Stream.of(field.split(",", -1)))
                        .map(word -> word.strip().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet()),
                version);
    }

    /** Whether the connection ends behind the message, RFC 9112, section 9.3. */
    boolean closes() {
        return words.contains("close") || (version.equals("HTTP/1.0") && !words.contains("keep-alive"));
    }
}
