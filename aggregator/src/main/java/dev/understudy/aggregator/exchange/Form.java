package dev.understudy.aggregator.exchange;

import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.content.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The canonical form of one upstream request: two requests with equal forms may be given each other's reply.
 *
 * <p>Equality is decided by 128 bits of SHA-256 over the canonical parts, each preceded by its length, so that no two
 * different lists of parts meet. The text is for people (misses, logs): it is clipped and must already be redacted.
 * Immutable.
 */
public final class Form {
    /** Characters of display text that a form keeps. */
    public static final int MAX_TEXT = 400;

    /** Looking one up for each form costs more than the hash itself; it is as new after each use. */
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Sha256::digest);

    /** Parts of so many bytes in all are copied together, since feeding a hash in pieces costs more. */
    private static final int COPIED = 4_096;

    private final long high;
    private final long low;
    private final String family;

    /** In UTF-8: there may be millions of them, and few are ever looked at. */
    private final byte[] text;

    private final boolean repeatable;
    private final @Nullable TraceId trace;

    /** None is kept in a journal or written to disk. */
    private final @Nullable RequestOutline outline;

    private Form(
            long high,
            long low,
            String family,
            byte[] text,
            boolean repeatable,
            @Nullable TraceId trace,
            @Nullable RequestOutline outline) {
        this.high = high;
        this.low = low;
        this.family = family;
        this.text = text;
        this.repeatable = repeatable;
        this.trace = trace;
        this.outline = outline;
    }

    /**
     * Makes the form of a request.
     *
     * @param family what near misses are looked up by, such as a command name or the path's first segment
     * @param text one line for people, without secrets
     * @param parts the canonical parts; all that decides whether a recorded reply fits, and nothing else
     */
    public static Form of(String family, String text, byte[]... parts) {
        ByteBuffer hash = ByteBuffer.wrap(hash(parts));
        return new Form(hash.getLong(), hash.getLong(), clip(family, 64), bytes(text), false, null, null);
    }

    private static byte[] hash(byte[]... parts) {
        long length = 0;
        for (byte[] part : parts) {
            length += Integer.BYTES + (long) part.length;
        }
        MessageDigest digest = SHA_256.get();
        if (length <= COPIED) {
            byte[] all = new byte[(int) length];
            int at = 0;
            for (byte[] part : parts) {
                all[at++] = (byte) (part.length >> 24);
                all[at++] = (byte) (part.length >> 16);
                all[at++] = (byte) (part.length >> 8);
                all[at++] = (byte) part.length;
                System.arraycopy(part, 0, all, at, part.length);
                at += part.length;
            }
            return digest.digest(all);
        }
        byte[] before = new byte[Integer.BYTES];
        for (byte[] part : parts) {
            ByteBuffer.wrap(before).putInt(part.length);
            digest.update(before);
            digest.update(part);
        }
        return digest.digest();
    }

    /** A form whose text is all that counts. */
    public static Form of(String family, String text) {
        return of(family, text, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same form, marked as a read: under {@code miss: repeat-last} its last reply may be given again. */
    public Form asRepeatable() {
        return new Form(high, low, family, text, true, trace, outline);
    }

    /** The same form, of a request that no reply may be given a second time. */
    public Form asUnrepeatable() {
        return repeatable ? new Form(high, low, family, text, false, trace, outline) : this;
    }

    /** The same form, of a request that names this trace. */
    public Form in(@Nullable TraceId named) {
        return Objects.equals(trace, named) ? this : new Form(high, low, family, text, repeatable, named, outline);
    }

    /** This form, in the words of an equal one, so that they are there once. */
    public Form sharing(Form equal) {
        return repeatable == equal.repeatable && Objects.equals(trace, equal.trace)
                ? equal
                : new Form(high, low, equal.family, equal.text, repeatable, trace, null);
    }

    /** This form, with another copy of its family's name. */
    public Form of(String sameFamily) {
        return new Form(high, low, sameFamily, text, repeatable, trace, outline);
    }

    /** This form, with what is shown of it passed through this. */
    Form shownBy(UnaryOperator<String> masking) {
        RequestOutline shown = outline == null ? null : outline.named(masking);
        return new Form(high, low, family, bytes(masking.apply(text())), repeatable, trace, shown);
    }

    /** This form, of a request with these parts. */
    public Form with(RequestOutline parts) {
        return new Form(high, low, family, text, repeatable, trace, parts);
    }

    /** This form without the request's parts. */
    public Form withoutOutline() {
        return outline == null ? this : new Form(high, low, family, text, repeatable, trace, null);
    }

    /** The request's parts, which say by what it differs from others; null if they aren't known. */
    public @Nullable RequestOutline outline() {
        return outline;
    }

    void writeTo(PackedWriter out) {
        TraceId named = trace;
        out.word(high).word(low).octet((repeatable ? 1 : 0) | (named == null ? 0 : 2));
        if (named != null) {
            out.word(named.high()).word(named.low());
        }
        out.text(family).text(text());
    }

    static Form readFrom(PackedReader in) throws IOException {
        long high = in.word();
        long low = in.word();
        int flags = in.octet();
        TraceId trace = (flags & 2) == 0 ? null : new TraceId(in.word(), in.word());
        return new Form(high, low, clip(in.text(), 64), bytes(in.text()), (flags & 1) != 0, trace, null);
    }

    /** Near misses are looked for among forms of the same family. */
    public String family() {
        return family;
    }

    /** One redacted line for people. */
    public String text() {
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Bytes of memory that the text takes. */
    public int textBytes() {
        return text.length;
    }

    /** Whether the last reply may be given again where the configuration says so. */
    public boolean repeatable() {
        return repeatable;
    }

    /** The trace that the request names; no part of what makes two forms equal. Null if it names none. */
    public @Nullable TraceId trace() {
        return trace;
    }

    /** What equality is decided by. */
    public byte[] identity() {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    }

    /** Half of what equality is decided by, for tables that may confuse two forms in 2⁶⁴. */
    public long fingerprint() {
        return high;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Form form && form.high == high && form.low == low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high);
    }

    @Override
    public String toString() {
        return text();
    }

    /** A text as it can stand in one line: with a dot for each control character. */
    public static String line(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i))) {
                StringBuilder line = new StringBuilder(text);
                for (int j = i; j < text.length(); j++) {
                    line.setCharAt(j, isControl(text.charAt(j)) ? '.' : text.charAt(j));
                }
                return line.toString();
            }
        }
        return text;
    }

    private static boolean isControl(char c) {
        return c < ' ' || c == 0x7f;
    }

    private static byte[] bytes(String text) {
        return clip(text, MAX_TEXT).getBytes(StandardCharsets.UTF_8);
    }

    private static String clip(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max - 1) + '…';
    }
}
