package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Makes the forms of HTTP requests by a rule: method, target, headers and body count as far as the rule says. Header
 * values count in full and are never shown.
 */
final class HttpForms {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Masking MASKING = new Masking(Set.of());

    private HttpForms() {}

    /** @param bodyHash of that of the body which counts */
    static Form of(FormRule rule, RequestHead head, long bodyLength, byte[] bodyHash) {
        String target = rule.counted(head.target());
        List<byte[]> parts = parts(rule, head, target);
        parts.add(bodyHash);
        String text = head.method() + ' ' + MASKING.target(target) + described(head, bodyLength, bodyHash);
        Form form = Form.of(family(head), Form.line(text), parts.toArray(byte[][]::new));
        return READS.contains(head.method().toUpperCase(Locale.ROOT)) ? form.asRepeatable() : form;
    }

    /** Of a request of this kind, of whose body only this counts. */
    static Form beginning(FormRule rule, RequestHead head, String kind, byte[] beginning) {
        String target = rule.counted(head.target());
        List<byte[]> parts = parts(rule, head, target);
        parts.add(kind.getBytes(StandardCharsets.UTF_8));
        parts.add(beginning);
        String hash = beginning.length < 4 ? "" : " #" + HexFormat.of().formatHex(beginning, 0, 4);
        String text = head.method() + ' ' + MASKING.target(target) + " with a " + kind + hash;
        return Form.of(family(head), Form.line(text), parts.toArray(byte[][]::new));
    }

    private static List<byte[]> parts(FormRule rule, RequestHead head, String target) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(head.method().getBytes(StandardCharsets.ISO_8859_1));
        parts.add(target.getBytes(StandardCharsets.ISO_8859_1));
        for (String name : rule.headers()) {
            // HTTP/2 may send a cookie in pieces (RFC 9113, section 8.2.3)
            String value = String.join(name.equals("cookie") ? "; " : ", ", head.all(name));
            parts.add(value.getBytes(StandardCharsets.ISO_8859_1));
        }
        return parts;
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
