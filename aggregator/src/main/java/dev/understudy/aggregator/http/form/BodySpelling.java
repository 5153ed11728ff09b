package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.RequestOutline;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kinds of bodies that may differ in bytes and mean the same: what counts of them, as bytes. */
enum BodySpelling {
    /** Every byte counts. */
    BYTES,
    /** One JSON text, or several in lines. */
    JSON,
    /** JSON whose {@code query} is a GraphQL document, as requests to a path that ends so have it. */
    GRAPHQL,
    /** One XML text. */
    XML,
    /** Parameters in percent-encoding. */
    FORM;

    /** Bytes beyond which a body counts as a whole. */
    static final int LONGEST = 1 << 20;

    private static final int MOST_LINES = 10_000;
    private static final String BODY = "body";

    /** How deep an outline goes. */
    private static final int DEEPEST = 12;

    static BodySpelling of(RequestHead head, FormRule rule) {
        MediaType type = MediaType.of(head.first("content-type"));
        if (type == null || head.first("content-encoding") != null) {
            return BYTES;
        }
        if (type.isXml()) {
            return rule.byMeaning() ? XML : BYTES;
        }
        if (!isUtf8(type)) {
            return BYTES;
        }
        if (type.isForm()) {
            return rule.byMeaning() ? FORM : BYTES;
        }
        boolean wanted = rule.byMeaning() || !rule.ignoreJson().isEmpty();
        if (rule.byMeaning() && type.isJson() && isGraphQl(head.target())) {
            return GRAPHQL;
        }
        return wanted && (type.isJson() || isLines(type)) ? JSON : BYTES;
    }

    private static boolean isGraphQl(String target) {
        return target.split("\\?", 2)[0].endsWith("/graphql");
    }

    private static boolean isUtf8(MediaType type) {
        return List.of("utf-8", "utf8", "us-ascii").contains(type.parameters().getOrDefault("charset", "utf-8"));
    }

    private static boolean isLines(MediaType type) {
        return type.type().endsWith("ndjson") || type.type().endsWith("jsonl");
    }

    /**
     * What counts of a body, which no other spelling or whole body has; null if it can't be read, and counts by its
     * bytes.
     */
    byte @Nullable [] counted(byte[] body, FormRule rule, RequestOutline.Builder outline) {
        return switch (this) {
            case BYTES -> null;
            case JSON -> json(body, rule, outline, false);
            case GRAPHQL -> json(body, rule, outline, true);
            case XML -> xml(body, outline);
            case FORM -> form(body, outline);
        };
    }

    private static byte @Nullable [] form(byte[] body, RequestOutline.Builder outline) {
        ParameterList list = ParameterList.ofForm(new String(body, StandardCharsets.ISO_8859_1));
        if (list == null) {
            return null;
        }
        list.parameters().forEach(each -> outline.add(BODY + '.' + each.name(), each.toString()));
        return ('q' + list.text()).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte @Nullable [] xml(byte[] body, RequestOutline.Builder outline) {
        byte[] counted = XmlForm.counted(body);
        if (counted != null) {
            outline.add(BODY, Arrays.hashCode(counted));
        }
        return counted;
    }

    private static byte @Nullable [] json(byte[] body, FormRule rule, RequestOutline.Builder outline, boolean graphQl) {
        JsonForm.Counted one = JsonForm.counted(body, rule.ignoreJson(), rule.byMeaning(), graphQl);
        if (one == null) {
            return rule.byMeaning() ? lines(body, rule, outline) : null;
        }
        add(one.value(), BODY, 0, outline);
        if (outline.isFull()) {
            outline.add(BODY, Arrays.hashCode(one.bytes()));
        }
        return one.bytes();
    }

    /** Several texts, each in a line of its own. */
    private static byte @Nullable [] lines(byte[] body, FormRule rule, RequestOutline.Builder outline) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(body.length);
        all.write('l');
        all.write(body[body.length - 1] == '\n' ? 'n' : 'e');
        int line = 0;
        for (int start = 0; start < body.length; line++) {
            int end = start;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            JsonForm.Counted counted =
                    JsonForm.counted(Arrays.copyOfRange(body, start, end), rule.ignoreJson(), rule.byMeaning(), false);
            if (counted == null || line == MOST_LINES) {
                return null;
            }
            all.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(counted.bytes().length)
                    .array());
            all.writeBytes(counted.bytes());
            outline.add("%s[%d]".formatted(BODY, line), Arrays.hashCode(counted.bytes()));
            start = end + 1;
        }
        return all.toByteArray();
    }

    private static void add(JsonValue value, String path, int depth, RequestOutline.Builder outline) {
        if (outline.isFull()) {
            return;
        }
        if (value instanceof JsonValue.Obj object && !object.members().isEmpty() && depth < DEEPEST) {
            new TreeMap<>(object.members())
                    .forEach((name, member) -> add(member, path + '.' + name, depth + 1, outline));
        } else if (value instanceof JsonValue.Arr array && !array.items().isEmpty() && depth < DEEPEST) {
            for (int i = 0; i < array.items().size() && !outline.isFull(); i++) {
                add(array.items().get(i), path + '[' + i + ']', depth + 1, outline);
            }
        } else {
            outline.add(path, value);
        }
    }
}
