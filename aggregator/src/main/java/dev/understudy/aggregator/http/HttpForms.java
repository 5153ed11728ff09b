package dev.understudy.aggregator.http;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The rule by which two HTTP requests count as the same: method, target, the headers listed here, and the body.
 *
 * <p>Headers that aren't listed don't count: trace context, {@code User-Agent}, {@code Date}, {@code Host} (the two JVMs
 * use different ports), connection and upgrade headers. Header values count in full and are never shown.
 */
final class HttpForms {
    /** Headers by which servers choose what to answer, and for whom. */
    static final List<String> HEADERS = List.of(
            "accept",
            "accept-encoding",
            "accept-language",
            "authorization",
            "content-encoding",
            "content-type",
            "cookie",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-range",
            "if-unmodified-since",
            "range");

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Masking MASKING = new Masking(Set.of());

    private HttpForms() {}

    static Form of(RequestHead head, long bodyLength, byte[] bodyHash) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(head.method().getBytes(StandardCharsets.ISO_8859_1));
        parts.add(head.target().getBytes(StandardCharsets.ISO_8859_1));
        for (String name : HEADERS) {
            String value = String.join(", ", head.all(name));
            parts.add(value.getBytes(StandardCharsets.ISO_8859_1));
        }
        parts.add(bodyHash);
        String text = head.method() + ' ' + MASKING.target(head.target()) + described(head, bodyLength, bodyHash);
        Form form = Form.of(family(head), text.replaceAll("\\p{Cntrl}", "."), parts.toArray(byte[][]::new));
        return READS.contains(head.method().toUpperCase(Locale.ROOT)) ? form.asRepeatable() : form;
    }

    private static String described(RequestHead head, long bodyLength, byte[] bodyHash) {
        String type = head.first("content-type");
        String body = bodyLength == 0
                ? ""
                : " with " + bodyLength + " bytes" + (type == null ? "" : " of " + type) + " #"
                        + HexFormat.of().formatHex(bodyHash, 0, 4);
        return body + (head.first("authorization") == null ? "" : " [authorized]");
    }

    /** Method and first path segment. */
    private static String family(RequestHead head) {
        String[] segments = head.target().split("[/?]", 3);
        return head.method() + ' ' + (segments.length > 1 ? segments[1] : "");
    }
}
