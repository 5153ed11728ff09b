package dev.understudy.aggregator.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the few kinds of ASN.1 values that certificates consist of, in DER (X.690). Stateless. */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int UTF8_STRING = 0x0c;
    private static final int CONSTRUCTED_IN_CONTEXT = 0xa0;
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter GENERALIZED_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant UTC_TIME_ENDS = Instant.parse("2050-01-01T00:00:00Z");

    private Der() {}

    static byte[] sequence(byte[]... values) {
        return value(SEQUENCE, join(values));
    }

    static byte[] set(byte[]... values) {
        return value(SET, join(values));
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] yes() {
        return value(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] octets(byte[] content) {
        return value(0x04, content);
    }

    static byte[] bits(byte[] content, int unused) {
        return value(0x03, join(new byte[] {(byte) unused}, content));
    }

    static byte[] text(String text) {
        return value(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A point in time, to the second, in the way that RFC 5280 wants it (section 4.1.2.5). */
    static byte[] time(Instant at) {
        return at.isBefore(UTC_TIME_ENDS)
                ? value(0x17, UTC_TIME.format(at).getBytes(StandardCharsets.US_ASCII))
                : value(0x18, GENERALIZED_TIME.format(at).getBytes(StandardCharsets.US_ASCII));
    }

    /** An object identifier such as {@code 2.5.4.3}. */
    static byte[] identifier(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            int arc = Integer.parseInt(arcs[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arc >>> shift != 0) {
                    out.write(((arc >>> shift) & 0x7f) | 0x80);
                }
            }
            out.write(arc & 0x7f);
        }
        return value(0x06, out.toByteArray());
    }

    /** A value under a tag that its context gives a meaning, with what is within. */
    static byte[] tagged(int tag, byte[] within) {
        return value(CONSTRUCTED_IN_CONTEXT | tag, within);
    }

    /** The same in place of a value's own tag. */
    static byte[] plainTagged(int tag, byte[] content) {
        return value(0x80 | tag, content);
    }

    private static byte[] value(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 6);
        out.write(tag);
        int length = content.length;
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >>> (8 * i));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] value : values) {
            out.writeBytes(value);
        }
        return out.toByteArray();
    }
}
