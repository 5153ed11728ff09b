package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
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

    private HttpForms() {}

    /**
     * Makes the form of a complete request.
     *
     * @param bodyHash of that of the body which counts
     * @param body the body's parts
     */
    static Form of(FormRule rule, RequestHead head, long bodyLength, byte[] bodyHash, RequestOutline.Builder body) {
        String target = rule.counted(head.target());
        RequestOutline.Builder outline = new RequestOutline.Builder();
        List<byte[]> parts = parts(rule, head, target, outline);
        parts.add(bodyHash);
        String text = head.method() + ' ' + Masking.PLAIN.target(target) + described(head, bodyLength, bodyHash);
        Form form = Form.of(family(head), Form.line(text), parts.toArray(byte[][]::new))
                .with(outline.build(body));
        return READS.contains(head.method().toUpperCase(Locale.ROOT)) ? form.asRepeatable() : form;
    }

    /** Of a request of this kind, of whose body only this counts. */
    static Form beginning(FormRule rule, RequestHead head, String kind, byte[] beginning) {
        String target = rule.counted(head.target());
        List<byte[]> parts = parts(rule, head, target, new RequestOutline.Builder());
        parts.add(kind.getBytes(StandardCharsets.UTF_8));
        parts.add(beginning);
        String hash = beginning.length < 4 ? "" : " #" + HexFormat.of().formatHex(beginning, 0, 4);
        String text = head.method() + ' ' + Masking.PLAIN.target(target) + " with a " + kind + hash;
        return Form.of(family(head), Form.line(text), parts.toArray(byte[][]::new));
    }

    private static List<byte[]> parts(FormRule rule, RequestHead head, String target, RequestOutline.Builder outline) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(head.method().getBytes(StandardCharsets.ISO_8859_1));
        outline.add("method", head.method());
        parts.add(spelled(rule, target, outline).getBytes(StandardCharsets.ISO_8859_1));
        for (String name : rule.headers()) {
            // HTTP/2 may send a cookie in pieces (RFC 9113, section 8.2.3)
            String value = String.join(name.equals("cookie") ? "; " : ", ", head.all(name));
            String counted = rule.byMeaning() ? HeaderSpelling.of(name, value) : value;
            parts.add(counted.getBytes(StandardCharsets.ISO_8859_1));
            if (!counted.isEmpty()) {
                outline.add("header." + name, counted);
            }
        }
        return parts;
    }

    /** The target as it counts; two have the same spelling only if they mean the same. */
    private static String spelled(FormRule rule, String target, RequestOutline.Builder outline) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? "" : target.substring(mark + 1);
        ParameterList parameters = mark < 0 || !rule.byMeaning() ? null : ParameterList.ofQuery(query);
        outline.add("path", rule.byMeaning() ? PercentEncoding.ofPath(path) : path);
        if (parameters == null && mark >= 0) {
            outline.add("query", query);
        } else if (parameters != null) {
            parameters.parameters().forEach(each -> outline.add("query." + each.name(), each.toString()));
        }
        if (!rule.byMeaning()) {
            return target;
        }
        String spelled = PercentEncoding.ofPath(path);
        return mark < 0 ? spelled : spelled + '?' + (parameters == null ? query : parameters.text());
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
