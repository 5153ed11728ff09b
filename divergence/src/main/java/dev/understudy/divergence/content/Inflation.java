package dev.understudy.divergence.content;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Undoes the content codings gzip (RFC 1952) and deflate (RFC 1950, or raw RFC 1951), up to a size.
 *
 * <p>Stricter than the JDK's streams: exactly one member, checksums verified, nothing after the end.
 */
public final class Inflation {
    private static final int FHCRC = 2;
    private static final int FEXTRA = 4;
    private static final int FNAME = 8;
    private static final int FCOMMENT = 16;

    private Inflation() {}

    /** Whether the value of a Content-Encoding header names a coding that can be undone here. */
    public static boolean knows(@Nullable String coding) {
        return coding != null
                && switch (coding.toLowerCase(Locale.ROOT)) {
                    case "gzip", "x-gzip", "deflate" -> true;
                    default -> false;
                };
    }

    /** The content, or null if the coding is unknown, the bytes are damaged or the content exceeds the limit. */
    public static byte @Nullable [] decode(String coding, byte[] coded, int limit) {
        return switch (coding.toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> gunzip(coded, limit);
            case "deflate" -> {
                byte[] content = inflate(coded, 0, 0, limit, false);
                yield content != null ? content : inflate(coded, 0, 0, limit, true);
            }
            default -> null;
        };
    }

    private static byte @Nullable [] gunzip(byte[] coded, int limit) {
        if (coded.length < 18 || coded[0] != 0x1f || coded[1] != (byte) 0x8b || coded[2] != 8) {
            return null;
        }
        int flags = coded[3];
        int at = 10;
        if ((flags & FEXTRA) != 0) {
            if (at + 2 > coded.length) {
                return null;
            }
            at += 2 + (coded[at] & 0xff) + ((coded[at + 1] & 0xff) << 8);
        }
        if ((flags & FNAME) != 0) {
            at = afterZero(coded, at);
        }
        if ((flags & FCOMMENT) != 0) {
            at = afterZero(coded, at);
        }
        if ((flags & FHCRC) != 0) {
            at += 2;
        }
        if (at + 8 > coded.length) {
            return null;
        }
        byte[] content = inflate(coded, at, 8, limit, true);
        if (content == null) {
            return null;
        }
        CRC32 crc = new CRC32();
        crc.update(content);
        ByteBuffer trailer = ByteBuffer.wrap(coded, coded.length - 8, 8).order(ByteOrder.LITTLE_ENDIAN);
        return trailer.getInt() == (int) crc.getValue() && trailer.getInt() == content.length ? content : null;
    }

    private static int afterZero(byte[] coded, int from) {
        int at = from;
        while (at < coded.length && coded[at] != 0) {
            at++;
        }
        return at + 1;
    }

    private static byte @Nullable [] inflate(byte[] coded, int from, int trailer, int limit, boolean raw) {
        Inflater inflater = new Inflater(raw);
        try {
            inflater.setInput(coded, from, coded.length - from - trailer);
            ByteArrayOutputStream content = new ByteArrayOutputStream(Math.min(limit, 4 * coded.length + 64));
            byte[] piece = new byte[8192];
            while (!inflater.finished()) {
                int count = inflater.inflate(piece);
                if ((count == 0 && !inflater.finished()) || content.size() > limit - count) {
                    return null;
                }
                content.write(piece, 0, count);
            }
            return inflater.getRemaining() == 0 ? content.toByteArray() : null;
        } catch (DataFormatException e) {
            return null;
        } finally {
            inflater.end();
        }
    }
}
