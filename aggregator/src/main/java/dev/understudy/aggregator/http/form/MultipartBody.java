package dev.understudy.aggregator.http.form;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Hashes a {@code multipart} body without its boundary, which clients make up anew for each request.
 *
 * <p>Two bodies get the same hash only if one is the other with another boundary in all its delimiter lines (RFC 2046,
 * section 5.1.1). A body that has its boundary anywhere else, or in no such line at all, gets none. Nothing of the body
 * is kept. Confined to its request.
 */
final class MultipartBody {
    private static final byte[] LINE = {'\r', '\n', '-', '-'};

    private final MessageDigest hash;
    private final byte[] boundary;
    private final int[] borders;

    /** Bytes of line and boundary that the body ends with so far; it begins as if after a line's end. */
    private int delimiter = 2;

    /** Bytes of the boundary that the body ends with so far, wherever they stand. */
    private int anywhere;

    private Rest rest = Rest.NONE;
    private long sinceDelimiter;
    private boolean delimited;
    private boolean odd;

    /** How far a delimiter line has come after its boundary. */
    private enum Rest {
        NONE,
        BEGINS,
        DASH,
        PADDING,
        CLOSED,
        CR
    }

    MultipartBody(String boundary, MessageDigest hash) {
        this.hash = hash;
        this.boundary = boundary.getBytes(StandardCharsets.ISO_8859_1);
        this.borders = borders(this.boundary);
    }

    /** The next piece, which is read to its end. */
    void feed(ByteBuffer content) {
        int run = content.position();
        for (int at = run; at < content.limit() && !odd; at++) {
            byte next = content.get(at);
            rest(next);
            int held = held();
            delimiter = next == wanted() ? delimiter + 1 : next == '\r' ? 1 : 0;
            boolean boundaryEnds = seen(next);
            if (held() > 0 && held == 0) {
                content(content.duplicate().limit(at).position(run));
            } else if (held > 0 && held() == 0) {
                content(ByteBuffer.wrap(boundary, 0, held));
                run = at;
            }
            if (held() == boundary.length) {
                delimits();
                run = at + 1;
            } else {
                odd |= boundaryEnds;
            }
        }
        if (!odd && held() == 0) {
            content(content.duplicate().position(run));
        }
        content.position(content.limit());
    }

    /** The hash of the complete body; null if it counts as it is. To be called once. */
    byte @Nullable [] digest() {
        if (odd || !delimited || (rest != Rest.NONE && rest != Rest.CLOSED)) {
            return null;
        }
        content(ByteBuffer.wrap(boundary, 0, held()));
        length();
        return hash.digest();
    }

    private void delimits() {
        length();
        delimited = true;
        delimiter = 0;
        rest = Rest.BEGINS;
    }

    /** Each stretch is followed by its length, so that read from the end, nothing can look like something else. */
    private void length() {
        hash.update(ByteBuffer.allocate(Long.BYTES).putLong(0, sinceDelimiter));
        sinceDelimiter = 0;
    }

    private void content(ByteBuffer bytes) {
        sinceDelimiter += bytes.remaining();
        hash.update(bytes);
    }

    /** Bytes of the boundary that aren't hashed yet, since they may be a delimiter's. */
    private int held() {
        return Math.max(0, delimiter - LINE.length);
    }

    private byte wanted() {
        return delimiter < LINE.length ? LINE[delimiter] : boundary[delimiter - LINE.length];
    }

    /** Whether the boundary ends with this byte (Knuth, Morris and Pratt's way). */
    private boolean seen(byte next) {
        while (anywhere > 0 && (anywhere == boundary.length || boundary[anywhere] != next)) {
            anywhere = borders[anywhere - 1];
        }
        anywhere += boundary[anywhere] == next ? 1 : 0;
        return anywhere == boundary.length;
    }

    private void rest(byte next) {
        if (rest == Rest.NONE) {
            return;
        }
        boolean blank = next == ' ' || next == '\t';
        if (next == '-' && rest == Rest.BEGINS) {
            rest = Rest.DASH;
        } else if (next == '-' && rest == Rest.DASH) {
            rest = Rest.CLOSED;
        } else if (blank && (rest == Rest.BEGINS || rest == Rest.PADDING)) {
            rest = Rest.PADDING;
        } else if (next == '\r' && rest != Rest.DASH && rest != Rest.CR) {
            rest = Rest.CR;
        } else if (next == '\n' && rest == Rest.CR) {
            rest = Rest.NONE;
        } else {
            odd |= !(blank && rest == Rest.CLOSED);
        }
    }

    /** For each beginning of the boundary, how long a beginning it ends with. */
    private static int[] borders(byte[] boundary) {
        int[] borders = new int[boundary.length];
        for (int end = 1, border = 0; end < boundary.length; end++) {
            while (border > 0 && boundary[border] != boundary[end]) {
                border = borders[border - 1];
            }
            border += boundary[border] == boundary[end] ? 1 : 0;
            borders[end] = border;
        }
        return borders;
    }
}
