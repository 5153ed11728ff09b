package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.coding.ContentCoding;
import dev.understudy.divergence.content.coding.DecodedContent;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.sidecar.reduce.HttpCall;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reply, or a request, as people may see it: JSON in lines, secrets masked.
 *
 * <p>A body whose secrets can't be found is not shown: XML, forms of bytes, what is in an unknown coding. For all
 * threads.
 */
final class ReplyText {
    private static final int MOST_HEADERS = 100;
    private static final int MOST_DECODED = 64 << 10;
    private static final int MOST_SHOWN = 64 << 10;
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final Masking masking;

    ReplyText(Masking masking) {
        this.masking = masking;
    }

    /** The body's text, or why there is none. */
    private record Shown(String text, String hidden) {
        static Shown hidden(String why) {
            return new Shown("", why);
        }
    }

    @Nullable
    Map<String, Object> spell(@Nullable ReplyExcerpt reply) {
        if (reply == null) {
            return null;
        }
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("status", reply.status());
        spelled.put("reason", masking.within(reply.reason()));
        addMessage(spelled, reply);
        spelled.put("bodyBinary", BinaryBody.is(reply));
        spelled.put("bodyCut", reply.body().length < reply.bodyLength());
        return spelled;
    }

    /** Headers and body of a request; null if it isn't kept, or is none of HTTP/1.1. */
    @Nullable
    Map<String, Object> spellRequest(byte @Nullable [] kept) {
        HttpCall call = kept == null ? null : HttpCall.of(kept).orElse(null);
        if (call == null) {
            return null;
        }
        Map<String, Object> spelled = new LinkedHashMap<>();
        byte[] body = call.body();
        addMessage(spelled, new ReplyExcerpt(0, "", call.head().headers(), body, body.length));
        return spelled;
    }

    private void addMessage(Map<String, Object> spelled, ReplyExcerpt reply) {
        List<Map<String, Object>> headers = new ArrayList<>();
        for (Header header : reply.headers()
                .subList(0, Math.min(MOST_HEADERS, reply.headers().size()))) {
            headers.add(Map.of("name", header.name(), "value", masking.header(header.name(), header.value())));
        }
        spelled.put("headers", headers);
        Shown body = body(reply);
        spelled.put("body", body.text);
        spelled.put("bodyHidden", body.hidden);
        spelled.put("bodyBytes", reply.bodyLength());
    }

    private Shown body(ReplyExcerpt reply) {
        boolean cut = reply.body().length < reply.bodyLength();
        if (reply.bodyLength() == 0) {
            return Shown.hidden("");
        }
        MediaType type = MediaType.of(first(reply, "Content-Type"));
        Charset charset = type == null ? null : type.charset();
        if (type == null || charset == null || type.isXml() || !(type.isJson() || type.isText())) {
            return Shown.hidden("secrets can't be found in a body of this type");
        }
        ContentCoding coding = ContentCoding.of(all(reply, "Content-Encoding"));
        if (cut && !coding.isNone()) {
            return Shown.hidden("it is encoded, and only its beginning is kept");
        }
        DecodedContent content =
                coding.isNone() ? DecodedContent.read(reply.body()) : coding.decode(reply.body(), MOST_DECODED);
        if (!content.isRead()) {
            return Shown.hidden("its content coding can't be undone: " + content.result());
        }
        String text = new String(content.bytes(), charset);
        String whole = cut ? uncut(text) : type.isJson() ? inLines(text) : text;
        String shown = masking.within(whole);
        return new Shown(shown.length() > MOST_SHOWN ? shown.substring(0, MOST_SHOWN) : shown, "");
    }

    /** Without its last word, which may be the beginning of a secret. */
    private static String uncut(String text) {
        int end = text.length();
        while (end > 0 && " \t\r\n,;{}[]<>".indexOf(text.charAt(end - 1)) < 0) {
            end--;
        }
        return text.substring(0, end);
    }

    private static String inLines(String text) {
        try {
            return JSON.readTree(text).toPrettyString();
        } catch (IOException malformed) {
            return text;
        }
    }

    private static @Nullable String first(ReplyExcerpt reply, String name) {
        List<String> all = all(reply, name);
        return all.isEmpty() ? null : all.get(0);
    }

    private static List<String> all(ReplyExcerpt reply, String name) {
        return reply.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .toList();
    }
}
