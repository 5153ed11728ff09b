package dev.understudy.divergence.compare.body;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.noise.ValueClass;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * What a text says, be it XML, HTML, a form or lines, read as it arrives and kept in bounded memory: a hash of every
 * byte but for the first {@value #KEPT} words that are time stamps or UUIDs, which are kept themselves. Of any charset
 * in which blanks and quotes are those of ASCII. Confined to one thread until it is read.
 */
public final class StreamedText implements StreamedBody {
    private static final int KEPT = 256;
    private static final int SHORTEST = 10;
    private static final int LONGEST = 64;
    private static final int UUID = 36;
    private static final int OF_A_VALUE = 256;
    /** By byte: what stands between words. */
    private static final boolean[] ENDS = ends();

    private final MessageDigest said = Sha256.digest();
    private final List<Said.Value> values = new ArrayList<>();
    /** The beginning of a word whose end hasn't arrived. */
    private final byte[] begun = new byte[LONGEST];

    private int begunLength;
    private boolean tooLong;
    private long hashed;
    private long line = 1;

    @Override
    public void feed(byte[] bytes, int from, int length) {
        int end = from + length;
        int unsaid = from;
        int word = from;
        for (int i = from; i < end; i++) {
            if (ENDS[bytes[i] & 0xFF]) {
                if (begunLength > 0) {
                    int rest = i - word;
                    if (begunLength + rest <= LONGEST) {
                        System.arraycopy(bytes, word, begun, begunLength, rest);
                        unsaid = word(begun, 0, begunLength + rest) ? i : sayBegun(unsaid);
                    } else {
                        unsaid = sayBegun(unsaid);
                    }
                    begunLength = 0;
                } else if (!tooLong && i - word >= SHORTEST && mayDiffer(bytes, word, i - word)) {
                    say(bytes, unsaid, word - unsaid);
                    unsaid = keep(bytes, word, i - word) ? i : word;
                }
                tooLong = false;
                word = i + 1;
                line += bytes[i] == '\n' ? 1 : 0;
            }
        }
        leaveOff(bytes, unsaid, word, end);
    }

    /** What follows the last word's end may be the beginning of one. */
    private void leaveOff(byte[] bytes, int unsaid, int word, int end) {
        int rest = end - word;
        if (tooLong || begunLength + rest > LONGEST) {
            sayBegun(unsaid);
            begunLength = 0;
            tooLong = true;
            say(bytes, unsaid, end - unsaid);
        } else {
            say(bytes, unsaid, word - unsaid);
            System.arraycopy(bytes, word, begun, begunLength, rest);
            begunLength += rest;
        }
    }

    @Override
    public int heldBytes() {
        return LONGEST + OF_A_VALUE + values.size() * OF_A_VALUE;
    }

    @Override
    public Said end() {
        if (!word(begun, 0, begunLength)) {
            say(begun, 0, begunLength);
        }
        return new Said(said.digest(), values);
    }

    private boolean word(byte[] bytes, int from, int length) {
        return length >= SHORTEST && mayDiffer(bytes, from, length) && keep(bytes, from, length);
    }

    private boolean keep(byte[] bytes, int from, int length) {
        if (values.size() == KEPT) {
            return false;
        }
        String text = new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        if (TimeStamps.stamp(text) == null && ValueClass.of(text) != ValueClass.UUID) {
            return false;
        }
        values.add(new Said.Value("", line, hashed, text, true));
        return true;
    }

    /** Looks at little: most words are told apart by that. */
    private static boolean mayDiffer(byte[] bytes, int from, int length) {
        boolean digit = bytes[from] >= '0' && bytes[from] <= '9';
        return length <= LONGEST && (digit || (length == UUID && bytes[from + 8] == '-'));
    }

    private int sayBegun(int unsaid) {
        say(begun, 0, begunLength);
        return unsaid;
    }

    private void say(byte[] bytes, int from, int length) {
        said.update(bytes, from, length);
        hashed += length;
    }

    private static boolean[] ends() {
        boolean[] ends = new boolean[256];
        for (char end : " \t\r\n\"'<>=,;&()".toCharArray()) {
            ends[end] = true;
        }
        return ends;
    }
}
