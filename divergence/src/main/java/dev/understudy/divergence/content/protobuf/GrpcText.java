package dev.understudy.divergence.content.protobuf;

import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.coding.DecodedContent;
import dev.understudy.divergence.content.coding.Inflation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a gRPC reply: its messages, and of gRPC-Web the trailers that stand behind them (PROTOCOL-HTTP2.md
 * and PROTOCOL-WEB.md of gRPC).
 */
public final class GrpcText {
    private static final int PREFIX = 5;
    private static final int COMPRESSED = 1;
    private static final int TRAILERS = 0x80;

    private GrpcText() {}

    /**
     * A tree of {@code messages} and {@code trailers}; null if it isn't such a body, or a message is compressed by
     * anything but gzip.
     *
     * @param type full name of the messages' type; null for by numbers only
     * @param limit bytes that all compressed messages together may come to
     */
    public static @Nullable JsonValue parse(byte[] body, ProtobufSchema schema, @Nullable String type, int limit) {
        List<JsonValue> messages = new ArrayList<>();
        Map<String, JsonValue> tree = new LinkedHashMap<>();
        int left = limit;
        int at = 0;
        while (at < body.length) {
            long length = body.length - at < PREFIX ? -1 : length(body, at + 1);
            if (length < 0 || length > body.length - at - PREFIX || tree.containsKey("trailers")) {
                return null;
            }
            byte[] part = Arrays.copyOfRange(body, at + PREFIX, at + PREFIX + (int) length);
            int flags = body[at] & 0xff;
            DecodedContent content = flags == COMPRESSED ? Inflation.gzip(part, left) : DecodedContent.read(part);
            if (!content.isRead() || (flags > COMPRESSED && flags != TRAILERS)) {
                return null;
            }
            byte[] plain = content.bytes();
            left -= flags == COMPRESSED ? plain.length : 0;
            JsonValue read = flags == TRAILERS ? trailers(plain) : ProtobufText.parse(plain, schema, type);
            if (read == null) {
                return null;
            }
            if (flags == TRAILERS) {
                tree.put("trailers", read);
            } else {
                messages.add(read);
            }
            at += PREFIX + (int) length;
        }
        tree.put("messages", new JsonValue.Arr(messages));
        return new JsonValue.Obj(tree);
    }

    private static long length(byte[] body, int at) {
        return (body[at] & 0xffL) << 24
                | (body[at + 1] & 0xff) << 16
                | (body[at + 2] & 0xff) << 8
                | (body[at + 3] & 0xff);
    }

    /** Names in lower case, in no order; null if one is there twice or has no colon. */
    private static @Nullable JsonValue trailers(byte[] block) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        for (String line : new String(block, StandardCharsets.ISO_8859_1).split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (line.isEmpty()) {
                continue;
            }
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            JsonValue value = new JsonValue.Str(line.substring(colon + 1).strip());
            if (colon <= 0 || fields.put(name, value) != null) {
                return null;
            }
        }
        return new JsonValue.Obj(fields);
    }
}
