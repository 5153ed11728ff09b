package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.PgValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One bound value as it counts in a form: the same for both encodings and, as far as it can be, for all the ways in
 * which a driver may have declared it.
 *
 * <p>Numbers and bytes count with their type. Of everything else the text counts alone: whether a driver declares a
 * string, a date or a truth value with its type or with none (0) depends on what happened on that connection before,
 * which the two JVMs don't share. NULL is NULL whatever its type.
 *
 * @param type the type's oid; 0 if neither the client nor, to its knowledge, the server has named one
 * @param binary whether {@code value} is in binary format
 */
public record Parameter(int type, boolean binary, byte @Nullable [] value) {
    private static final int BOOL = 16;
    private static final int TIMESTAMPTZ = 1184;

    /** Types that count: bytea and the numbers. */
    private static final Set<Integer> COUNTING = Set.of(17, 20, 21, 23, 26, 700, 701, 1700);

    /** Types whose values are shown to people; others may hold secrets, so that only their length is. */
    private static final Set<Integer> SHOWN =
            Set.of(16, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1266, 1700, 2950);

    /** An instant as drivers write it without naming its type. */
    private static final Pattern INSTANT =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)?[+-]\\d\\d(:\\d\\d)?");

    private static final int SHORTEST_INSTANT = 22;
    private static final int LONGEST_INSTANT = 40;

    byte[] canonical() {
        if (value == null) {
            return new byte[0];
        }
        String text = text(value);
        boolean counts = COUNTING.contains(type) || (text == null && binary);
        PgWriter part = new PgWriter().int32(counts ? type : 0);
        return text == null
                ? part.int8(binary ? 'b' : '=').bytes(value).toBytes()
                : part.int8('=').bytes(text.getBytes(StandardCharsets.UTF_8)).toBytes();
    }

    /** A short text that differs for different values and shows none. */
    String token() {
        byte[] canonical = canonical();
        return canonical.length + "#" + Long.toHexString(fingerprint(canonical));
    }

    private static long fingerprint(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    String display() {
        if (value == null) {
            return "NULL";
        }
        String text = SHOWN.contains(type) ? text(value) : null;
        return text == null
                ? value.length + " bytes #" + HexFormat.of().toHexDigits((short) Arrays.hashCode(value))
                : text;
    }

    /** Null where the text isn't known, or stands for itself. */
    private @Nullable String text(byte[] bytes) {
        if (type == 0 && !binary) {
            boolean may = bytes.length >= SHORTEST_INSTANT && bytes.length <= LONGEST_INSTANT && bytes[4] == '-';
            return may ? instant(bytes) : null;
        }
        String text = PgValues.canonical(type, binary, bytes);
        if (type == BOOL && text != null) {
            return text.equals("t") ? "TRUE" : "FALSE"; // as pgjdbc writes it, so that it needs no type
        }
        return text;
    }

    private static @Nullable String instant(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return INSTANT.matcher(text).matches() ? PgValues.canonical(TIMESTAMPTZ, false, bytes) : null;
    }
}
