package dev.understudy.sidecar.control;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A body that isn't text, as it came: an image, or bytes.
 *
 * <p>Secrets can't be found in it, so it is for those who may operate. A body that may have them by name isn't one:
 * text, JSON, XML, forms, and whatever has no type.
 */
final class BinaryBody {
    /** Pictures made of pixels, which run nothing, with what each begins with. */
    private static final Map<String, String> IMAGES = Map.of(
            "image/png", "\u0089PNG\r\n\u001a\n",
            "image/jpeg", "\u00ff\u00d8\u00ff",
            "image/gif", "GIF8",
            "image/webp", "RIFF");

    private BinaryBody() {}

    /** Whether the reply has one. */
    static boolean is(@Nullable ReplyExcerpt reply) {
        if (reply == null || reply.bodyLength() == 0) {
            return false;
        }
        MediaType type = MediaType.of(header(reply, "Content-Type"));
        return type != null
                && !type.isText()
                && !type.isJson()
                && !type.isXml()
                && !type.isForm()
                && !type.isMultipart();
    }

    /** Its beginning, and which image it is; "" if it is none, or isn't whole. */
    static Map<String, Object> spell(ReplyExcerpt reply) {
        boolean cut = reply.body().length < reply.bodyLength();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("image", cut ? "" : image(reply));
        spelled.put("base64", Base64.getEncoder().encodeToString(reply.body()));
        spelled.put("bodyBytes", reply.bodyLength());
        spelled.put("bodyCut", cut);
        return spelled;
    }

    /** By its type and by its first bytes: either may be wrong. */
    private static String image(ReplyExcerpt reply) {
        MediaType type = MediaType.of(header(reply, "Content-Type"));
        String begins = type == null ? null : IMAGES.get(type.type());
        String body = new String(reply.body(), 0, Math.min(16, reply.body().length), StandardCharsets.ISO_8859_1);
        return type != null && begins != null && body.startsWith(begins) ? type.type() : "";
    }

    private static @Nullable String header(ReplyExcerpt reply, String name) {
        return reply.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .findFirst()
                .orElse(null);
    }
}
