package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.wire.redis.RespValue;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a RESP value looks like: to a reader, and to somebody who looks for another one that means the same. */
final class RespShape {
    private static final int MAX_NAME = 64;
    private static final int SHOWN_BYTES = 32;
    private static final int MAX_EXPONENT = 400;

    private RespShape() {}

    /** Items in the order sent; null if it has none. */
    static @Nullable List<RespValue> items(RespValue value) {
        if (value instanceof RespValue.Array array) {
            return array.items();
        }
        return value instanceof RespValue.Unordered set
                ? set.items()
                : value instanceof RespValue.Push push ? push.items() : null;
    }

    /** Pairs of a map, or of an array of keys and values by turns; null if it is neither. */
    static @Nullable List<RespValue.Entry> pairs(RespValue value) {
        if (value instanceof RespValue.Mapping map) {
            return map.entries();
        }
        List<RespValue> items = value instanceof RespValue.Array array ? array.items() : null;
        if (items == null || items.size() % 2 != 0) {
            return null;
        }
        List<RespValue.Entry> pairs = new ArrayList<>(items.size() / 2);
        for (int i = 0; i < items.size(); i += 2) {
            pairs.add(new RespValue.Entry(items.get(i), items.get(i + 1)));
        }
        return pairs;
    }

    static boolean isError(RespValue value) {
        return value instanceof RespValue.SimpleError || value instanceof RespValue.BulkError;
    }

    static boolean isNull(RespValue value) {
        return value instanceof RespValue.Null
                || (value instanceof RespValue.Bulk bulk && bulk.bytes() == null)
                || (value instanceof RespValue.Array array && array.items() == null);
    }

    /** Whether {@link #shown} is all of it. */
    static boolean isText(RespValue value) {
        byte[] bytes = bytes(value);
        return value instanceof RespValue.Simple || (bytes != null && text(bytes) != null);
    }

    /** For people: the text of a text, a summary of anything else. */
    static String shown(RespValue value) {
        byte[] bytes = bytes(value);
        if (bytes != null) {
            String text = text(bytes);
            int shown = Math.min(bytes.length, SHOWN_BYTES);
            return text != null
                    ? text
                    : bytes.length + " bytes, " + HexFormat.of().formatHex(bytes, 0, shown);
        }
        if (isNull(value)) {
            return "null";
        }
        if (value instanceof RespValue.Simple simple) {
            return simple.text();
        } else if (value instanceof RespValue.SimpleError error) {
            return error.message();
        } else if (value instanceof RespValue.Int number) {
            return Long.toString(number.value());
        } else if (value instanceof RespValue.Bool bool) {
            return Boolean.toString(bool.value());
        } else if (value instanceof RespValue.Decimal decimal) {
            return decimal.text();
        } else if (value instanceof RespValue.BigNumber number) {
            return number.text();
        } else if (value instanceof RespValue.Mapping map) {
            return "a map of " + map.entries().size();
        } else if (value instanceof RespValue.Attributed attributed) {
            return shown(attributed.value());
        }
        List<RespValue> items = items(value);
        return (value instanceof RespValue.Unordered ? "a set of " : "an array of ")
                + (items == null ? 0 : items.size());
    }

    /** For the path of what is below a key. */
    static String name(RespValue key) {
        String shown = shown(key).replaceAll("\\p{Cntrl}", ".");
        return shown.length() <= MAX_NAME ? shown : shown.substring(0, MAX_NAME) + "…";
    }

    /** A text that two values share if and only if they mean the same. */
    static String canonical(RespValue value) {
        if (value instanceof RespValue.Unordered set) {
            return "~" + sorted(set.items().stream().map(RespShape::canonical));
        }
        if (value instanceof RespValue.Mapping map) {
            return "%" + sorted(map.entries().stream().map(RespShape::canonical));
        }
        if (value instanceof RespValue.Array array && array.items() != null) {
            return "*" + counted(array.items().stream().map(RespShape::canonical));
        }
        return new String(value.encode(), StandardCharsets.ISO_8859_1);
    }

    private static String canonical(RespValue.Entry entry) {
        return counted(Stream.of(canonical(entry.key()), canonical(entry.value())));
    }

    private static String sorted(Stream<String> parts) {
        return counted(parts.sorted());
    }

    /** Each with its length before it, so that no two rows of parts run into each other. */
    private static String counted(Stream<String> parts) {
        return parts.map(part -> part.length() + ":" + part).collect(Collectors.joining());
    }

    /** Null for infinity, for what is no number, and for what would take for ever to compare. */
    static @Nullable BigDecimal number(String text) {
        try {
            BigDecimal number = text.length() > MAX_EXPONENT ? null : new BigDecimal(text);
            return number == null || Math.abs((long) number.scale()) > MAX_EXPONENT ? null : number;
        } catch (NumberFormatException infinite) {
            return null;
        }
    }

    private static byte @Nullable [] bytes(RespValue value) {
        return value instanceof RespValue.Bulk bulk
                ? bulk.bytes()
                : value instanceof RespValue.BulkError error
                        ? error.bytes()
                        : value instanceof RespValue.Verbatim verbatim ? verbatim.bytes() : null;
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            return null;
        }
    }
}
