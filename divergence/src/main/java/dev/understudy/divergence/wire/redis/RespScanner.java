package dev.understudy.divergence.wire.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the RESP values of one direction end, and keeps nothing of them but the line that it is in. Confined to
 * one thread.
 *
 * <p>For what has to be cut but not read, however large it is; {@link RespFramer} reads values.
 */
public final class RespScanner {
    /** What was found. */
    public enum Found {
        /** A value ends where the buffer stands now. */
        VALUE,
        /** All bytes were looked at; the value goes on. */
        MORE,
        /** This isn't RESP; {@link #malformation} says why, and nothing more is found. */
        MALFORMED
    }

    /** Receives the words of commands. */
    interface Words {
        /** A word, whole, of an inline command. */
        void word(byte[] word);

        /** Bytes of the word that isn't whole yet. */
        void part(ByteBuffer bytes);

        /** The word is whole. */
        void whole();
    }

    private static final String NESTING = "*%~>|";
    private static final String BLOBS = "$!=";
    private static final String LINES = "+-:_#,(";
    private static final int MAX_LINE = 64 * 1024;
    private static final int MAX_DEPTH = 64;

    /** Null for replies; else only commands are well-formed. */
    private final @Nullable Words words;

    /** At each depth, how many values are still to come. */
    private final long[] left = new long[MAX_DEPTH + 1];

    private int depth;
    private byte[] line = new byte[64];
    private int lineLength;

    /** Bytes of a blob that are still to come, with the line end after it; 0 outside. */
    private long blob;

    private char type;
    private boolean attributed;
    private boolean within;
    private @Nullable String malformation;

    /** For replies. */
    public RespScanner() {
        this(null);
    }

    RespScanner(@Nullable Words words) {
        this.words = words;
    }

    /** Looks at bytes up to the end of the next value, or at all of them; moves the buffer's position. */
    public Found scan(ByteBuffer bytes) {
        if (malformation != null) {
            return Found.MALFORMED;
        }
        try {
            while (bytes.hasRemaining()) {
                if (blob > 0 ? blobEnds(bytes) : lineEnds(bytes) && valueEnds()) {
                    within = false;
                    return Found.VALUE;
                }
            }
            return Found.MORE;
        } catch (MalformedRespException e) {
            malformation = e.getMessage();
            return Found.MALFORMED;
        }
    }

    /** The first byte of the last value, or of the one that its attributes belong to. */
    public char type() {
        return type;
    }

    /** Whether a value has begun and not ended. */
    public boolean within() {
        return within;
    }

    /** Why it isn't RESP; empty as long as it is. */
    public String malformation() {
        return malformation == null ? "" : malformation;
    }

    private boolean blobEnds(ByteBuffer bytes) throws MalformedRespException {
        if (blob > 2) {
            int part = (int) Math.min(blob - 2, bytes.remaining());
            if (words != null) {
                words.part(bytes.slice(bytes.position(), part));
            }
            bytes.position(bytes.position() + part);
            blob -= part;
        }
        while (blob <= 2 && blob > 0 && bytes.hasRemaining()) {
            check(bytes.get() == (blob == 2 ? '\r' : '\n'), "a string longer than announced");
            blob--;
        }
        if (blob > 0) {
            return false;
        }
        if (words != null) {
            words.whole();
        }
        return completes();
    }

    /** Takes bytes up to a line end. */
    private boolean lineEnds(ByteBuffer bytes) throws MalformedRespException {
        within = true;
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                return true;
            }
            check(lineLength < MAX_LINE, "a line of more than " + MAX_LINE + " bytes");
            if (lineLength == line.length) {
                line = Arrays.copyOf(line, 2 * line.length);
            }
            line[lineLength++] = next;
        }
        return false;
    }

    /** The line is whole; says whether a value ends with it. */
    private boolean valueEnds() throws MalformedRespException {
        boolean ended = lineLength > 0 && line[lineLength - 1] == '\r';
        int length = ended ? lineLength - 1 : lineLength;
        char first = length == 0 ? '\n' : (char) (line[0] & 0xff);
        lineLength = 0;
        if (words != null && depth == 0 && first != '*') {
            type = first;
            for (byte[] word : InlineWords.split(line, 0, length).words()) {
                words.word(word);
            }
            return true;
        }
        check(ended, "a line without CR LF");
        check(words == null || first == (depth == 0 ? '*' : '$'), "no command");
        typed(first);
        if (NESTING.indexOf(first) >= 0) {
            return nests(first, number(length));
        }
        if (BLOBS.indexOf(first) >= 0) {
            long size = number(length);
            check(size >= 0 || (size == -1 && first == '$' && words == null), "negative length");
            blob = size < 0 ? 0 : size + 2;
            return size < 0 && completes();
        }
        check(LINES.indexOf(first) >= 0, "unknown type");
        return completes();
    }

    private void typed(char first) {
        if (depth == 0) {
            attributed = first == '|';
            type = first;
        } else if (attributed && depth == 1 && left[1] == 1) {
            type = first;
        }
    }

    private boolean nests(char first, long count) throws MalformedRespException {
        if (count < 0) {
            check(count == -1 && first == '*', "negative length");
            return completes();
        }
        check(count <= Integer.MAX_VALUE, "more items than any server sends");
        check(depth < MAX_DEPTH, "nested deeper than " + MAX_DEPTH);
        long items = first == '%' ? 2 * count : first == '|' ? 2 * count + 1 : count;
        if (items == 0) {
            return completes();
        }
        left[++depth] = items;
        return false;
    }

    private boolean completes() {
        while (depth > 0) {
            if (--left[depth] > 0) {
                return false;
            }
            depth--;
        }
        return true;
    }

    private long number(int length) throws MalformedRespException {
        int at = length > 1 && line[1] == '-' ? 2 : 1;
        check(at < length && length - at <= 18, "malformed number");
        long number = 0;
        for (int i = at; i < length; i++) {
            check(line[i] >= '0' && line[i] <= '9', "malformed number");
            number = 10 * number + (line[i] - '0');
        }
        return at == 2 ? -number : number;
    }

    private static void check(boolean right, String otherwise) throws MalformedRespException {
        if (!right) {
            throw new MalformedRespException(otherwise);
        }
    }
}
