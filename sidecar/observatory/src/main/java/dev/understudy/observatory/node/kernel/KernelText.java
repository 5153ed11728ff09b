package dev.understudy.observatory.node.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one file of the kernel says, with a place in it: lines, words and numbers without a string for any of them.
 *
 * <p>A line is complete or doesn't exist: text that was cut loses its last line. A number that isn't there, or isn't
 * one, is {@link #NONE}. Nothing throws, whatever the text is. One thread.
 */
public final class KernelText {
    /** In the place of a number that can't be read. */
    public static final long NONE = -1;

    private byte[] bytes;
    private int length;
    private int next;
    private int at;
    private int end;
    private @Nullable KernelText line;

    /** An empty text. */
    public KernelText() {
        this(new byte[4096]);
    }

    private KernelText(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Room for so many bytes, whose first are those of the text so far. */
    byte[] room(int wanted) {
        if (bytes.length < wanted) {
            bytes = Arrays.copyOf(bytes, Math.max(wanted, 2 * bytes.length));
        }
        return bytes;
    }

    /** Takes the first bytes of {@link #room} for the text, and goes to before its first line. */
    void begin(int newLength) {
        length = newLength;
        next = 0;
        at = 0;
        end = 0;
    }

    /** Goes to the start of the next line; false if there is no complete one. */
    public boolean nextLine() {
        for (int i = next; i < length; i++) {
            if (bytes[i] == '\n') {
                at = next;
                end = i;
                next = i + 1;
                return true;
            }
        }
        at = length;
        end = length;
        return false;
    }

    /** Goes to before the first line again. */
    public void rewind() {
        begin(length);
    }

    /** Whether what is left of the line begins so; then it goes behind it. */
    public boolean skip(byte[] prefix) {
        if (end - at < prefix.length || !Arrays.equals(bytes, at, at + prefix.length, prefix, 0, prefix.length)) {
            return false;
        }
        at += prefix.length;
        return true;
    }

    /** Goes behind the next word of the line; false if there is none. */
    public boolean skipWord() {
        skipBlanks();
        int from = at;
        while (at < end && !isSpace(bytes[at])) {
            at++;
        }
        return at > from;
    }

    /** Goes behind so many words. */
    public void skipWords(int count) {
        for (int i = 0; i < count; i++) {
            skipWord();
        }
    }

    /** Goes behind the line's last such byte; false, and nowhere, if it has none. */
    public boolean skipPastLast(char mark) {
        for (int i = end - 1; i >= at; i--) {
            if (bytes[i] == mark) {
                at = i + 1;
                return true;
            }
        }
        return false;
    }

    /** Goes behind the line's next such byte; false, and nowhere, if it has none. */
    public boolean skipPast(char mark) {
        for (int i = at; i < end; i++) {
            if (bytes[i] == mark) {
                at = i + 1;
                return true;
            }
        }
        return false;
    }

    /** All of it, lines or not. It makes a string: not for each tick. */
    public String all() {
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Whether the line has another word. */
    public boolean hasWord() {
        skipBlanks();
        return at < end;
    }

    /**
     * What is left of this line as a text of its own, as long as this text isn't read again; always the same object.
     */
    KernelText line() {
        if (line == null) {
            line = new KernelText(bytes);
        }
        line.bytes = bytes;
        line.length = end;
        line.next = end;
        line.at = at;
        line.end = end;
        return line;
    }

    /**
     * Goes behind the next word.
     *
     * @return its index in a list of words, -1 if it isn't there
     */
    public int wordIn(byte[][] words) {
        skipBlanks();
        int from = at;
        skipWord();
        for (int i = 0; i < words.length; i++) {
            byte[] word = words[i];
            if (word.length == at - from && Arrays.equals(bytes, from, at, word, 0, word.length)) {
                return i;
            }
        }
        return -1;
    }

    /** Goes behind the next word, and returns it; {@code ""} if there is none. It makes a string: not for each tick. */
    public String word() {
        skipBlanks();
        int from = at;
        skipWord();
        return new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
    }

    /** Goes to the line's end, and returns what was left of it. It makes a string: not for each tick. */
    public String rest() {
        int from = at;
        at = end;
        return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
    }

    /** Goes behind the next word; its value if it is a decimal number from 0 to 2^63 - 1, else {@link #NONE}. */
    public long number() {
        skipBlanks();
        int from = at;
        long value = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            int digit = bytes[at] - '0';
            if (value > (Long.MAX_VALUE - digit) / 10) {
                skipWord();
                return NONE;
            }
            value = value * 10 + digit;
            at++;
        }
        if (at == from || (at < end && !isSpace(bytes[at]))) {
            skipWord();
            return NONE;
        }
        return value;
    }

    /** Goes behind blanks. */
    void skipBlanks() {
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }
}
