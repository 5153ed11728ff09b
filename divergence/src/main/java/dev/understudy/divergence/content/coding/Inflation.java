package dev.understudy.divergence.content.coding;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Undoes gzip (RFC 1952), of one member or several, and deflate (RFC 1950, or raw RFC 1951), up to a size.
 *
 * <p>Stricter than the JDK's streams: checksums are verified, and nothing follows the end. Confined to one thread.
 */
public final class Inflation {
    private static final int FHCRC = 2;
    private static final int FEXTRA = 4;
    private static final int FNAME = 8;
    private static final int FCOMMENT = 16;
    private static final int HEADER = 10;
    private static final int TRAILER = 8;

    private final byte[] coded;
    private final BoundedBytes content;
    private final CRC32 crc = new CRC32();
    private final byte[] piece = new byte[8192];
    private long made;

    private Inflation(byte[] coded, BoundedBytes content) {
        this.coded = coded;
        this.content = content;
    }

    /** The content of one member or of several, one after another. */
    public static DecodedContent gzip(byte[] coded, int limit) {
        BoundedBytes content = new BoundedBytes(limit);
        return DecodedContent.of(content, new Inflation(coded, content).members());
    }

    /** Of either form that goes by that name. */
    static DecodedContent deflate(byte[] coded, int limit) {
        DecodedContent content = deflate(coded, limit, false);
        return content.result() == DecodedContent.Result.DAMAGED ? deflate(coded, limit, true) : content;
    }

    private static DecodedContent deflate(byte[] coded, int limit, boolean raw) {
        BoundedBytes content = new BoundedBytes(limit);
        Inflater inflater = new Inflater(raw);
        try {
            boolean intact = new Inflation(coded, content).inflate(inflater, 0) == coded.length;
            return DecodedContent.of(content, intact);
        } finally {
            inflater.end();
        }
    }

    private boolean members() {
        Inflater inflater = new Inflater(true);
        try {
            int at = 0;
            do {
                at = member(inflater, at);
            } while (at > 0 && at < coded.length);
            return at > 0;
        } finally {
            inflater.end();
        }
    }

    /** Behind the member that begins there; -1 if it isn't intact. */
    private int member(Inflater inflater, int from) {
        int begin = afterHeader(from);
        if (begin < 0) {
            return -1;
        }
        inflater.reset();
        crc.reset();
        made = 0;
        int end = inflate(inflater, begin);
        boolean whole = end >= 0 && coded.length - end >= TRAILER;
        boolean good = whole && word(end) == (int) crc.getValue() && word(end + 4) == (int) made;
        return good ? end + TRAILER : -1;
    }

    /** Where a member's compressed content begins; -1 if none can begin so. */
    private int afterHeader(int from) {
        if (coded.length - from < HEADER + TRAILER
                || coded[from] != 0x1f
                || coded[from + 1] != (byte) 0x8b
                || coded[from + 2] != 8) {
            return -1;
        }
        int flags = coded[from + 3];
        int at = from + HEADER;
        if ((flags & FEXTRA) != 0) {
            at += 2 + (coded[at] & 0xff) + ((coded[at + 1] & 0xff) << 8);
        }
        if ((flags & FNAME) != 0) {
            at = afterZero(at);
        }
        if ((flags & FCOMMENT) != 0) {
            at = afterZero(at);
        }
        if ((flags & FHCRC) != 0) {
            at += 2;
        }
        return at <= coded.length - TRAILER ? at : -1;
    }

    private int afterZero(int from) {
        int at = from;
        while (at < coded.length && coded[at] != 0) {
            at++;
        }
        return at + 1;
    }

    /** Little-endian. */
    private int word(int at) {
        return (coded[at] & 0xff)
                | (coded[at + 1] & 0xff) << 8
                | (coded[at + 2] & 0xff) << 16
                | (coded[at + 3] & 0xff) << 24;
    }

    /** Behind the compressed content that begins there; -1 if it isn't intact or there is no room for it. */
    private int inflate(Inflater inflater, int from) {
        try {
            inflater.setInput(coded, from, coded.length - from);
            while (!inflater.finished()) {
                int count = inflater.inflate(piece);
                if ((count == 0 && !inflater.finished()) || !content.add(piece, count)) {
                    return -1;
                }
                crc.update(piece, 0, count);
                made += count;
            }
            return coded.length - inflater.getRemaining();
        } catch (DataFormatException e) {
            return -1;
        }
    }
}
